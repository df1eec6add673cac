import Foundation
import SwiftData
import Testing

// Queries by `id`, and by what protocols require, in code that is generic over models.

protocol Titled {
  var title: String { get }
}

protocol Rated: Titled {
  var stars: Int { get set }
  var isDone: Bool { get }
}

protocol Shouting {
  var shout: String { get }
}

/// Its first requirement has the same place and type as that of `Titled`.
protocol Worded {
  var words: String { get }
}

@Model final class GenericShelf {
  var title: String
  @Relationship(inverse: \GenericMemo.shelf) var memos: [GenericMemo] = []
  init(title: String) { self.title = title }
}

@Model final class GenericMemo {
  var title: String
  var words: String
  var stars: Int
  var isDone = false
  var shelf: GenericShelf?
  init(_ title: String, words: String = "", stars: Int = 0, shelf: GenericShelf? = nil) {
    self.title = title
    self.words = words
    self.stars = stars
    self.shelf = shelf
  }
}

/// Has an `id` of its own.
@Model final class GenericTask {
  @Attribute(.unique) var id: UUID
  var title: String
  init(id: UUID = UUID(), title: String) {
    self.id = id
    self.title = title
  }
}

extension GenericShelf: Titled {}
extension GenericMemo: Rated, Worded {}
extension GenericTask: Titled {}
extension GenericMemo: Shouting {
  var shout: String { title.uppercased() }
}

/// What many programs have: one store for all models.
struct GenericRepository<Element: PersistentModel> {
  let context: ModelContext

  func find(_ id: PersistentIdentifier) throws -> Element? {
    var descriptor = FetchDescriptor<Element>(predicate: #Predicate { $0.persistentModelID == id })
    descriptor.fetchLimit = 1
    return try context.fetch(descriptor).first
  }

  func all(by order: SortDescriptor<Element>) throws -> [Element] {
    try context.fetch(FetchDescriptor(sortBy: [order]))
  }
}

extension GenericRepository where Element.ID: Codable & Sendable {
  func find(id: Element.ID) throws -> Element? {
    try context.fetch(FetchDescriptor<Element>(predicate: #Predicate { $0.id == id })).first
  }

  func find(ids: [Element.ID]) throws -> [Element] {
    try context.fetch(FetchDescriptor<Element>(predicate: #Predicate { ids.contains($0.id) }))
  }
}

extension GenericRepository where Element: Titled {
  func find(title: String) throws -> [Element] {
    try context.fetch(FetchDescriptor<Element>(predicate: #Predicate { $0.title == title }))
  }

  func search(_ text: String) throws -> [String] {
    let predicate = #Predicate<Element> { $0.title.localizedStandardContains(text) }
    return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
  }
}

extension GenericRepository where Element: Rated {
  func best(_ stars: Int) throws -> [String] {
    let predicate = #Predicate<Element> { $0.stars >= stars && !$0.isDone }
    return try context.fetch(
      FetchDescriptor(
        predicate: predicate, sortBy: [SortDescriptor(\.stars, order: .reverse), SortDescriptor(\.title)])
    ).map(\.title)
  }
}

@Suite struct GenericQueryTests {
  let context: ModelContext
  let shelf = GenericShelf(title: "Books")
  let memos: [GenericMemo]

  init() throws {
    context = ModelContext(
      try ModelContainer(
        for: GenericShelf.self, GenericMemo.self, GenericTask.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    context.insert(shelf)
    memos = [
      GenericMemo("b", words: "a", stars: 3, shelf: shelf), GenericMemo("a", words: "b", stars: 5),
      GenericMemo("Éclair", words: "b", stars: 4, shelf: shelf),
    ]
    for memo in memos { context.insert(memo) }
    memos[1].isDone = true
    try context.save()
  }

  private func titles(_ predicate: Predicate<GenericMemo>) throws -> [String] {
    let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])
    let found = try context.fetch(descriptor)
    #expect(try context.fetchCount(descriptor) == found.count)
    #expect(try context.fetchIdentifiers(descriptor) == found.map(\.id))
    #expect(try memos.filter { try predicate.evaluate($0) }.count == found.count)
    return found.map(\.title)
  }

  @Test func `id is the persistent identifier of a model without an id of its own`() throws {
    let id = memos[0].id
    #expect(try titles(#Predicate { $0.id == id }) == ["b"])
    #expect(try titles(#Predicate { $0.id != id }) == ["a", "Éclair"])
    let ids = [memos[0].id, memos[1].id]
    #expect(try titles(#Predicate { ids.contains($0.id) }) == ["a", "b"])
    let set = Set(memos.map(\.persistentModelID))
    #expect(try titles(#Predicate { set.contains($0.id) && $0.stars > 3 }) == ["a", "Éclair"])
    #expect(try titles(#Predicate { $0.persistentModelID == id || $0.stars == 5 }) == ["a", "b"])
  }

  @Test func `id of a related model`() throws {
    let id = shelf.id
    let other: PersistentIdentifier? = nil
    #expect(try titles(#Predicate { $0.shelf?.id == id }) == ["b", "Éclair"])
    #expect(try titles(#Predicate { $0.shelf?.id != id }) == ["a"])
    #expect(try titles(#Predicate { $0.shelf?.id == other }) == ["a"])
    let memo = memos[0].id
    let shelves = FetchDescriptor<GenericShelf>(predicate: #Predicate { $0.memos.contains { $0.id == memo } })
    #expect(try context.fetch(shelves) == [shelf])
    #expect(try titles(#Predicate { $0.shelf?.memos.contains { $0.id == memo } ?? false }) == ["b", "Éclair"])
  }

  @Test func `rows are sorted by id`() throws {
    let ids = memos.map(\.id).sorted()
    #expect(try context.fetch(FetchDescriptor<GenericMemo>(sortBy: [SortDescriptor(\.id)])).map(\.id) == ids)
    let reverse = SortDescriptor(\GenericMemo.id, order: .reverse)
    #expect(try context.fetch(FetchDescriptor(sortBy: [reverse])).map(\.id) == ids.reversed())
  }

  @Test func `an id of its own stays a property`() throws {
    let task = GenericTask(title: "t")
    context.insert(task)
    context.insert(GenericTask(title: "u"))
    try context.save()
    let (id, row) = (task.id, task.persistentModelID)
    #expect(try context.fetch(FetchDescriptor<GenericTask>(predicate: #Predicate { $0.id == id })) == [task])
    #expect(
      try context.fetch(FetchDescriptor<GenericTask>(predicate: #Predicate { $0.persistentModelID == row })) == [task])
    let tasks = GenericRepository<GenericTask>(context: context)
    #expect(try tasks.find(id: id) == task)
    #expect(try tasks.find(ids: [id, UUID()]) == [task])
    #expect(try tasks.find(row) == task)
    #expect(try tasks.find(title: "u").count == 1)
  }

  @Test func `generic code finds models by id`() throws {
    let all = GenericRepository<GenericMemo>(context: context)
    #expect(try all.find(memos[1].persistentModelID) == memos[1])
    #expect(try all.find(id: memos[1].id) == memos[1])
    #expect(Set(try all.find(ids: [memos[1].id, memos[2].id])) == [memos[1], memos[2]])
    #expect(try all.all(by: SortDescriptor(\.stars)).map(\.stars) == [3, 4, 5])
  }

  @Test func `generic code asks for what a protocol requires`() throws {
    let all = GenericRepository<GenericMemo>(context: context)
    #expect(try all.find(title: "a") == [memos[1]])
    #expect(try all.search("ecl") == ["Éclair"])
    #expect(try all.best(3) == ["Éclair", "b"])
    #expect(try GenericRepository<GenericShelf>(context: context).find(title: "Books") == [shelf])
  }

  private func find<Model: PersistentModel & Titled>(_ type: Model.Type, titled title: String) throws -> [Model] {
    try context.fetch(FetchDescriptor<Model>(predicate: #Predicate { $0.title == title }))
  }

  private func find<Model: PersistentModel & Worded>(_ type: Model.Type, worded words: String) throws -> [Model] {
    try context.fetch(FetchDescriptor<Model>(predicate: #Predicate { $0.words == words }))
  }

  private func find<Model: PersistentModel & Shouting>(_ type: Model.Type, shouting text: String) throws -> [Model] {
    try context.fetch(FetchDescriptor<Model>(predicate: #Predicate { $0.shout == text }))
  }

  @Test func `requirements of two protocols are told apart`() throws {
    for _ in 0..<3 {
      #expect(try find(GenericMemo.self, titled: "b") == [memos[0]])
      #expect(Set(try find(GenericMemo.self, worded: "b")) == [memos[1], memos[2]])
    }
  }

  @Test func `a requirement met by a computed property is an error`() throws {
    #expect(throws: SwiftDataError.self) { try find(GenericMemo.self, shouting: "B") }
  }
}
