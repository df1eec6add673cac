import Foundation
import Roost
import RoostEngine
import Testing

/// What of a class becomes a column, and what a property is after construction and after a fetch.
@Suite struct DefinitionTests {
  private func makeContext(_ configuration: ModelConfiguration = .init(isStoredInMemoryOnly: true)) throws
    -> ModelContext
  {
    ModelContext(try ModelContainer(for: Definition.self, configurations: configuration))
  }

  @Test func `stored properties are columns, computed and transient ones are not`() throws {
    let names = Schema([Definition.self]).entities.first?.properties.map(\.name)
    #expect(Set(names ?? []) == ["name", "kind", "size", "tags", "place", "older"])
  }

  @Test func `a transient property has its default after a fetch`() throws {
    let folder = try TemporaryFolder()
    do {
      let context = try makeContext(ModelConfiguration(url: folder.store))
      let model = Definition(name: "a")
      model.draft = "changed"
      context.insert(model)
      try context.save()
      #expect(model.draft == "changed")
    }
    let found = try #require(
      try makeContext(ModelConfiguration(url: folder.store)).fetch(FetchDescriptor<Definition>()).first)
    #expect(found.draft == "none")
  }

  @Test func `defaults are there after construction and after a fetch`() throws {
    let context = try makeContext()
    let model = Definition(name: "a")
    #expect(model.kind == .small && model.size == 1 && model.tags == ["new"] && model.place == .init(x: 0, y: 0))
    context.insert(model)
    try context.save()
    let found = try #require(
      try ModelContext(context.container).fetch(FetchDescriptor<Definition>()).first)
    #expect(found.kind == .small && found.size == 1 && found.tags == ["new"] && found.place == .init(x: 0, y: 0))
  }

  @Test func `enums, structs and collections of them come back`() throws {
    let context = try makeContext()
    let model = Definition(name: "a")
    (model.kind, model.tags, model.place) = (.large, ["x", "y"], DefinedPlace(x: 1.5, y: -2))
    model.older = [.small, .large]
    context.insert(model)
    try context.save()
    let found = try #require(
      try ModelContext(context.container).fetch(FetchDescriptor<Definition>()).first)
    #expect(found.kind == .large && found.tags == ["x", "y"] && found.place == DefinedPlace(x: 1.5, y: -2))
    #expect(found.older == [.small, .large] && found.area == -3)
  }

  @available(*, deprecated, message: "so that the compiler does not warn of the predicates here, as it should")
  @Test func `predicates of what is not stored judge models, and fetches by them throw`() throws {
    let context = try makeContext()
    let model = Definition(name: "a")
    (model.place, model.draft) = (DefinedPlace(x: 2, y: 3), "b")
    context.insert(model)
    try context.save()
    for predicate in [#Predicate<Definition> { $0.area == 6 }, #Predicate<Definition> { $0.draft == "b" }] {
      #expect(try predicate.evaluate(model))
      #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(FetchDescriptor(predicate: predicate)) }
    }
  }

  @Test func `naming one model brings in those that relationships refer to`() throws {
    let container = try ModelContainer(for: Author.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    #expect(Set(container.schema.entities.map(\.name)) == ["Author", "Book", "Tag"])
  }
}

@Model final class Definition {
  enum Kind: String, Codable { case small, large }

  var name: String
  var kind: Kind = .small
  var size = 1
  var tags = ["new"]
  var place: DefinedPlace = DefinedPlace(x: 0, y: 0)
  var older: [Kind] = []
  @Transient var draft = "none"
  var area: Double { place.x * place.y }
  // No key path leads to these.
  var checkedName: String { get throws { name } }
  var laterName: String { get async { name } }
  @MainActor var shownName: String { name }
  var shape: some Equatable { place }

  init(name: String) { self.name = name }
}

struct DefinedPlace: Codable, Equatable {
  var x: Double
  var y: Double
}
