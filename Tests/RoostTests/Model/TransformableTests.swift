import Foundation
import Roost
import RoostEngine
import Testing

/// Neither `Codable` nor a value.
private final class Shade: Equatable {
  let level: Int
  init(level: Int) { self.level = level }
  static func == (left: Shade, right: Shade) -> Bool { left.level == right.level }
}

private struct TransformerFailure: Error {}

private enum ShadeTransformer: AttributeTransformer {
  static func stored(_ value: Shade) throws -> String {
    if value.level < 0 { throw TransformerFailure() }
    return "level \(value.level)"
  }

  static func value(_ stored: String) throws -> Shade {
    guard let level = Int(stored.dropFirst(6)) else { throw TransformerFailure() }
    return Shade(level: level)
  }

  static var placeholder: Shade? { Shade(level: 0) }
}

private enum Typed {
  @Model final class Lamp {
    @Attribute(.transformable(by: ShadeTransformer.self)) var shade: Shade
    @Attribute(.transformable(by: ShadeTransformer.self)) var other: Shade?

    init(shade: Shade, other: Shade? = nil) { (self.shade, self.other) = (shade, other) }
  }
}

private enum Named {
  @Model final class Lamp {
    @Attribute(.transformable(by: "TransformableTests shade")) var shade: Shade
    @Attribute(.transformable(by: "TransformableTests shade")) var other: Shade?

    init(shade: Shade) { self.shade = shade }
  }
}

private enum Unknown {
  @Model final class Lamp {
    @Attribute(.transformable(by: "nobody's")) var shade: Shade

    init(shade: Shade) { self.shade = shade }
  }
}

private enum Mistaken {
  @Model final class Lamp {
    @Attribute(.transformable(by: "TransformableTests shade")) var shade: [Int]

    init(shade: [Int]) { self.shade = shade }
  }
}

@Suite struct TransformableTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    ShadeTransformer.register(as: "TransformableTests shade")
  }

  @Test func `a snapshot travels as what the transformer made, and a wrong one is refused`() throws {
    let lamp = Typed.Lamp(shade: Shade(level: 3))
    let text = String(decoding: try JSONEncoder().encode(lamp.snapshot()), as: UTF8.self)
    let received = try JSONDecoder().decode(ModelSnapshot<Typed.Lamp>.self, from: Data(text.utf8))
    let other = Typed.Lamp(shade: Shade(level: 1), other: Shade(level: 2))
    try other.apply(received)
    #expect(other.shade == Shade(level: 3) && other.other == nil)
    for wrong in [#""level x""#, "7"] {
      let data = Data(text.replacing(#""level 3""#, with: wrong).utf8)
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(ModelSnapshot<Typed.Lamp>.self, from: data) }
    }
  }

  @Test func `a transformer makes what is stored, and the value of it`() throws {
    let context = ModelContext(try ModelContainer(for: Typed.Lamp.self, configurations: .init(url: folder.store)))
    context.insert(Typed.Lamp(shade: Shade(level: 3)))
    try context.save()
    let lamp = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Typed.Lamp>()).first)
    #expect(lamp.shade.level == 3 && lamp.other == nil)
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    let statement = try connection.statement("SELECT shade FROM Lamp")
    #expect(try statement.step() && statement.string(0) == "level 3")
    statement.reset()
    // By its name it is the same.
    try context.container.close()
    let named = ModelContext(try ModelContainer(for: Named.Lamp.self, configurations: .init(url: folder.store)))
    #expect(try named.fetch(FetchDescriptor<Named.Lamp>()).first?.shade.level == 3)
  }

  @Test func `a value that does not transform is an error of its property, either way`() throws {
    let context = ModelContext(try ModelContainer(for: Typed.Lamp.self, configurations: .init(url: folder.store)))
    let lamp = Typed.Lamp(shade: Shade(level: -1))
    context.insert(lamp)
    let refusal = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(refusal == .modelValidationFailure && refusal?.property == "shade")
    lamp.shade = Shade(level: 1)
    try context.save()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("UPDATE Lamp SET shade = 'dark'")
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContext(context.container).fetch(FetchDescriptor<Typed.Lamp>())
    }
    #expect(error == .corruptValue && error?.property == "shade" && error?.row != nil)
  }

  @Test func `queries cannot ask for what a transformer made`() throws {
    let context = ModelContext(try ModelContainer(for: Typed.Lamp.self, configurations: .init(url: folder.store)))
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Typed.Lamp>(predicate: #Predicate { $0.other == nil }))
    }
    #expect(error == .unsupportedPredicate && error?.message.contains("It is `.transformable`") == true)
  }

  @Test func `a name that nobody registered, or for another type, makes no container`() throws {
    for (type, text) in [
      (Unknown.Lamp.self as any PersistentModel.Type, "nobody's"), (Mistaken.Lamp.self, "values of the type Shade"),
    ] {
      let error = #expect(throws: SwiftDataError.self) {
        try ModelContainer(for: Schema([type]), configurations: [.init(isStoredInMemoryOnly: true)])
      }
      #expect(error == .invalidSchema && error?.property == "shade")
      #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }
  }
}
