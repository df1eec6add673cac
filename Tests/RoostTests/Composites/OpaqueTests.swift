import Foundation
import Roost
import Testing

private final class Ink: Codable, Equatable {
  var color: String
  init(color: String) { self.color = color }
  static func == (left: Ink, right: Ink) -> Bool { left.color == right.color }
}

private struct Pen: Codable {
  var inks: [String: [Ink?]]
}

private enum Tool: Codable {
  case none
  case pen(Pen)
}

private enum Opaque {
  @Model final class Drawing {
    @Attribute(.codable) var pen: Pen
    @Attribute(.codable) var ink: Ink?
    var name: String

    init(name: String, ink: Ink?) {
      self.name = name
      self.ink = ink
      pen = Pen(inks: ["a": [nil, Ink(color: "red")]])
    }
  }
}

private enum OtherShape {
  struct Pen: Codable {
    var inks: [String: [Ink?]]
    var width: Int?
  }

  @Model final class Drawing {
    @Attribute(.codable) var pen: Pen
    @Attribute(.codable) var ink: Ink?
    var name: String

    init(name: String, pen: Pen) { (self.name, self.pen) = (name, pen) }
  }
}

private enum Nested {
  @Model final class Drawing {
    var pen: Pen

    init(pen: Pen) { self.pen = pen }
  }
}

private enum InCase {
  @Model final class Drawing {
    var tool: Tool

    init(tool: Tool) { self.tool = tool }
  }
}

private enum Bare {
  @Model final class Drawing {
    var ink: Ink?

    init(ink: Ink?) { self.ink = ink }
  }
}

/// `@Attribute(.codable)`, and the classes that need it.
@Suite struct OpaqueTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a class marked codable is kept, and its shape is no part of the schema`() throws {
    let context = ModelContext(try ModelContainer(for: Opaque.Drawing.self, configurations: .init(url: folder.store)))
    context.insert(Opaque.Drawing(name: "a", ink: Ink(color: "blue")))
    try context.save()
    let found = try ModelContext(context.container).fetch(FetchDescriptor<Opaque.Drawing>()).first
    #expect(found?.ink?.color == "blue")
    #expect(found?.pen.inks["a"]?.last??.color == "red")
    try context.container.close()
    let other = ModelContext(try ModelContainer(for: OtherShape.Drawing.self, configurations: .init(url: folder.store)))
    #expect(try other.fetch(FetchDescriptor<OtherShape.Drawing>()).first?.pen.inks["a"]?.count == 2)
  }

  @Test func `what is codable cannot be asked for, and the error says why`() throws {
    let context = ModelContext(try ModelContainer(for: Opaque.Drawing.self, configurations: .init(url: folder.store)))
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Opaque.Drawing>(predicate: #Predicate { $0.ink == nil }))
    }
    #expect(error == .unsupportedPredicate && error?.message.contains("`$0.ink`") == true)
    #expect(error?.message.contains("It is `.codable`") == true)
    let inner = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Opaque.Drawing>(predicate: #Predicate { $0.pen.inks.isEmpty }))
    }
    #expect(inner == .unsupportedPredicate)
    let sort = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor<Opaque.Drawing>(sortBy: [SortDescriptor(\.ink?.color)]))
    }
    #expect(sort == .unsupportedSortDescriptor && sort?.message.contains("It is `.codable`") == true)
  }

  @Test(arguments: [
    (Nested.Drawing.self as any PersistentModel.Type, "pen", "inks"), (InCase.Drawing.self, "tool", "pen"),
    (Bare.Drawing.self, "ink", "It"),
  ])
  func `a class that is no model is no part of a schema unless it is codable`(
    _ type: any PersistentModel.Type, _ property: String, _ place: String
  ) throws {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(for: Schema([type]), configurations: [.init(isStoredInMemoryOnly: true)])
    }
    #expect(error == .invalidSchema && error?.property == property)
    #expect(error?.message.contains(place) == true && error?.message.contains("Ink") == true)
    #expect(error?.remedy?.contains("@Attribute(.codable)") == true)
  }
}
