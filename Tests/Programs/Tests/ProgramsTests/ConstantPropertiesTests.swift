// The compiler lets a macro give a `let` accessors in the Swift 5 language mode alone.
#if !swift(>=6)
  import Foundation
  import SwiftData
  import Testing

  @Model final class Gadget {
    @Attribute(.unique) let id: UUID
    let created = Date(timeIntervalSinceReferenceDate: 5)
    let serial: String
    private let secret: Int
    let maker: GadgetMaker?
    var name: String

    init(id: UUID = UUID(), serial: String, maker: GadgetMaker? = nil, name: String) {
      self.id = id
      self.serial = serial
      self.maker = maker
      self.name = name
      secret = serial.count
    }

    var hint: Int { secret }
  }

  @Model final class GadgetMaker {
    let name: String
    @Relationship(inverse: \Gadget.maker) var gadgets: [Gadget] = []

    init(name: String) { self.name = name }
  }

  @Model class GadgetBase {
    let code: Int

    init(code: Int) { self.code = code }
  }

  @Model final class GadgetPart: GadgetBase {
    let size: Double

    init(code: Int, size: Double) {
      self.size = size
      super.init(code: code)
    }
  }

  @Suite struct ConstantPropertiesTests {
    private func makeContext() throws -> ModelContext {
      let schema = Schema([Gadget.self, GadgetMaker.self, GadgetBase.self, GadgetPart.self])
      return ModelContext(
        try ModelContainer(
          for: schema, configurations: [ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)]))
    }

    @Test func `constants are kept, found and sorted by`() throws {
      let context = try makeContext()
      let maker = GadgetMaker(name: "ACME")
      let gadget = Gadget(serial: "abc", maker: maker, name: "first")
      #expect(gadget.serial == "abc" && gadget.hint == 3 && gadget.maker === maker)
      context.insert(gadget)
      context.insert(Gadget(serial: "abd", name: "second"))
      context.insert(GadgetPart(code: 7, size: 1.5))
      try context.save()
      let id = gadget.id
      let other = ModelContext(context.container)
      let found = try #require(
        try other.fetch(FetchDescriptor<Gadget>(predicate: #Predicate { $0.id == id && $0.serial == "abc" })).first)
      #expect(found.id == id && found.serial == "abc" && found.hint == 3 && found.name == "first")
      #expect(found.created == Date(timeIntervalSinceReferenceDate: 5))
      #expect(found.maker?.name == "ACME" && found.maker?.gadgets.map(\.serial) == ["abc"])
      let sorted = try other.fetch(FetchDescriptor<Gadget>(sortBy: [SortDescriptor(\.serial, order: .reverse)]))
      #expect(sorted.map(\.name) == ["second", "first"])
      let part = try #require(try other.fetch(FetchDescriptor<GadgetPart>()).first)
      #expect(part.code == 7 && part.size == 1.5)
    }

    @Test func `an upsert by a constant changes the rest`() throws {
      let context = try makeContext()
      let id = UUID()
      context.insert(Gadget(id: id, serial: "a", name: "old"))
      try context.save()
      context.insert(Gadget(id: id, serial: "b", name: "new"))
      try context.save()
      let all = try ModelContext(context.container).fetch(FetchDescriptor<Gadget>())
      #expect(all.map(\.name) == ["new"] && all.map(\.serial) == ["b"] && all.map(\.id) == [id])
    }

    @Test func `a rollback and a deletion know constants`() throws {
      let context = try makeContext()
      let gadget = Gadget(serial: "a", name: "old")
      context.insert(gadget)
      try context.save()
      gadget.name = "edited"
      context.rollback()
      #expect(gadget.name == "old" && gadget.serial == "a")
      context.delete(gadget)
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Gadget>()) == 0)
      #expect(gadget.serial == "a")
    }
  }
#endif
