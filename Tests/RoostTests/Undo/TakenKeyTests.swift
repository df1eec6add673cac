import Foundation
import Roost
import Testing

@Model private final class Bin {
  var name: String
  var parent: Bin?
  @Relationship(deleteRule: .nullify, inverse: \Bin.parent) var children: [Bin] = []
  @Relationship(inverse: \Mark.bins) var marks: [Mark] = []

  init(_ name: String, in parent: Bin? = nil) {
    self.name = name
    self.parent = parent
  }
}

@Model private final class Mark {
  var name: String
  var bins: [Bin] = []

  init(_ name: String) { self.name = name }
}

/// A deletion that was saved is undone, and another program has used the row's key: SQLite gives the key of a table's
/// last row out again.
@Suite struct TakenKeyTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext
  private let undo = UndoManager()
  private let first = Bin("first")
  private let last: Bin
  private let mark = Mark("mark")
  private let former: PersistentIdentifier

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Bin.self, configurations: ModelConfiguration(url: folder.store))
    context = ModelContext(container)
    last = Bin("last")
    let child = Bin("child")
    context.insert(first)
    context.insert(child)
    try context.save()
    context.insert(last)
    last.marks = [mark]
    (last.parent, child.parent) = (first, last)
    try context.save()
    former = last.persistentModelID
    context.undoManager = undo
    context.delete(last)
    try context.save()
  }

  /// What another program does that knows nothing of Roost's keys. Returns the row's identifier.
  private func insertElsewhere() throws -> PersistentIdentifier {
    let other = try ModelContainer(for: Bin.self, configurations: ModelConfiguration(url: folder.store))
    _ = try other.withDatabase { try $0.execute(sql: "INSERT INTO Bin (name) VALUES ('other')") }
    let context = ModelContext(other)
    let found = try context.fetchIdentifiers(FetchDescriptor<Bin>(predicate: #Predicate { $0.name == "other" }))
    return try #require(found.first)
  }

  private func checkStored() throws {
    let bins = try ModelContext(container).fetch(FetchDescriptor<Bin>(sortBy: [SortDescriptor(\.name)]))
    #expect(bins.map(\.name) == ["child", "first", "last", "other"])
    #expect(bins.map { $0.parent?.name } == ["last", nil, "first", nil])
    #expect(bins.map { $0.marks.map(\.name) } == [[], [], ["mark"], []])
    let contents = try ModelContext(container).fetch(FetchDescriptor<Mark>()).map { $0.bins.map(\.name) }
    #expect(contents == [["last"]])
  }

  @Test func `the model that comes back gets another key, and the row a model of its own`() throws {
    undo.undo()
    #expect(last.persistentModelID == former && context.hasChanges)
    let taken = try insertElsewhere()
    #expect(taken == former)
    let names = try context.fetch(FetchDescriptor<Bin>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    #expect(names == ["child", "first", "last", "other"])
    let other = try #require(context.model(for: taken) as? Bin)
    #expect(other.name == "other" && other !== last && other.children.isEmpty && other.marks.isEmpty)
    #expect(last.persistentModelID.isTemporary && first.children == [last] && last.children.map(\.name) == ["child"])
    #expect(mark.bins == [last] && last.marks == [mark])
    try context.save()
    try checkStored()
    undo.undo()
    #expect(undo.canRedo)
    undo.redo()
    undo.redo()
    try context.save()
    let left = try ModelContext(container).fetch(FetchDescriptor<Bin>(sortBy: [SortDescriptor(\.name)]))
    #expect(left.map(\.name) == ["child", "first", "other"] && left.allSatisfy { $0.parent == nil })
  }

  @Test func `a save that nothing was fetched before gives the model another row`() throws {
    undo.undo()
    _ = try insertElsewhere()
    try context.save()
    try checkStored()
  }

  @Test func `a model that comes back to a row of somebody else's, fetched already, gets another key`() throws {
    let taken = try insertElsewhere()
    let other = try #require(try context.fetch(FetchDescriptor<Bin>()).first { $0.persistentModelID == taken })
    undo.undo()
    #expect(last !== other && last.persistentModelID.isTemporary && other.persistentModelID == taken)
    try context.save()
    try checkStored()
    #expect(other.name == "other" && last.children.map(\.name) == ["child"])
  }
}
