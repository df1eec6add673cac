import Foundation
import SwiftData
import Testing

@Model public final class ToDo: Identifiable {
  @Attribute(.unique) public var id: UUID
  public var title: String
  public internal(set) var priority: Priority
  public var due: Date?
  fileprivate(set) var isDone: Bool = false
  var list: ToDoList?

  public enum Priority: Int, Codable, Comparable, CaseIterable {
    case low = 0, medium, high

    public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  var isOverdue: Bool { due.map { $0 < .now } ?? false }

  public init(id: UUID = UUID(), title: String, priority: Priority = .medium, due: Date? = nil) {
    self.id = id
    self.title = title
    self.priority = priority
    self.due = due
  }

  func complete() { isDone = true }
}

@Model public final class ToDoList {
  public var name: String
  @Relationship(deleteRule: .cascade, inverse: \ToDo.list) public var items: [ToDo]? = []

  init(_ name: String) { self.name = name }
}

/// In the style of apps with lists of things to do: undo, transactions, what is pending.
@MainActor @Suite struct ToDosTests {
  let container: ModelContainer
  var context: ModelContext { container.mainContext }

  init() throws {
    container = try ModelContainer(for: ToDoList.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    container.mainContext.autosaveEnabled = false
  }

  @Test func `What was done is undone and redone`() throws {
    let undoManager = UndoManager()
    context.undoManager = undoManager
    let list = ToDoList("Home")
    context.insert(list)
    try context.save()
    undoManager.removeAllActions()

    undoManager.beginUndoGrouping()
    undoManager.setActionName("Add")
    let item = ToDo(title: "Water plants", priority: .high)
    list.items?.append(item)
    undoManager.endUndoGrouping()
    #expect(undoManager.canUndo && undoManager.undoActionName == "Add")
    undoManager.undo()
    #expect(list.items?.isEmpty == true)
    undoManager.redo()
    #expect(list.items?.map(\.title) == ["Water plants"])
    context.undoManager = nil
  }

  @Test func `Pending changes are listed, and rolled back or saved`() throws {
    let (kept, dropped) = (ToDo(title: "kept"), ToDo(title: "dropped"))
    context.insert(kept)
    context.insert(dropped)
    try context.save()
    #expect(!context.hasChanges)

    context.insert(ToDo(title: "new"))
    context.delete(dropped)
    kept.complete()
    #expect(context.insertedModelsArray.compactMap { ($0 as? ToDo)?.title } == ["new"])
    #expect(context.changedModelsArray.compactMap { $0 as? ToDo } == [kept])
    #expect(context.deletedModelsArray.contains { $0.persistentModelID == dropped.persistentModelID })
    context.rollback()
    #expect(!kept.isDone && !context.hasChanges)
    #expect(try context.fetchCount(FetchDescriptor<ToDo>()) == 2)
  }

  @Test func `A transaction saves what its block does`() throws {
    try context.transaction {
      let list = ToDoList("Work")
      context.insert(list)
      for number in 1...3 { list.items?.append(ToDo(title: "Item \(number)")) }
    }
    #expect(!context.hasChanges)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<ToDo>()) == 3)
  }

  @Test func `Items are sorted by what enums order them by, in memory too`() throws {
    for (title, priority) in [("a", ToDo.Priority.low), ("b", .high), ("c", .medium)] {
      context.insert(ToDo(title: title, priority: priority, due: priority == .high ? .distantPast : nil))
    }
    let items = try context.fetch(FetchDescriptor<ToDo>())
    #expect(items.sorted { $0.priority > $1.priority }.map(\.title) == ["b", "c", "a"])
    #expect(items.sorted(using: KeyPathComparator(\.title, order: .reverse)).map(\.title) == ["c", "b", "a"])
    #expect(items.filter(\.isOverdue).map(\.title) == ["b"])
    let byID = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
    #expect(byID.count == 3)
    let grouped = Dictionary(grouping: items, by: \.priority)
    #expect(grouped[.low]?.map(\.title) == ["a"])
  }

  @Test func `A model is found by its own id, and offsets delete what a list shows`() throws {
    let wanted = UUID()
    context.insert(ToDo(id: wanted, title: "wanted"))
    context.insert(ToDo(title: "other"))
    try context.save()
    let found = try context.fetch(FetchDescriptor<ToDo>(predicate: #Predicate { $0.id == wanted }))
    #expect(found.map(\.title) == ["wanted"])

    let shown = try context.fetch(FetchDescriptor<ToDo>(sortBy: [SortDescriptor(\.title)]))
    for index in IndexSet(integer: 0) { context.delete(shown[index]) }
    try context.save()
    #expect(try context.fetch(FetchDescriptor<ToDo>()).map(\.title) == ["wanted"])
  }
}
