import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

private enum Drawers: VersionedSchema {
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  static var models: [any PersistentModel.Type] { [Drawer.self, Box.self, BigBox.self, Label.self] }

  @Model final class Drawer {
    var name = ""
    @Attribute(.merge(.counter)) var count = 5
    @Attribute(.merge(.counter)) var weight: Double?
    @Attribute(.merge(.max)) var best = 5
    @Attribute(.merge(.min)) var least: Int? = 5
    @Attribute(.merge(.set)) var marks = ["a"]
    @Attribute(.merge(.orderedList)) var lines = ["1", "2", "3"]
    @Attribute(.externalStorage, .merge(.orderedList)) var pages: [String]
    @Attribute(.merge(.custom)) var notes = ""
    @Attribute(.merge(.keepBoth)) var motto = "none"
    @Attribute(.externalStorage, .merge(.counter)) var weighed = 0
    init() { pages = (0..<30).map { "page \($0)" } }
  }

  @Model class Box {
    @Attribute(.merge(.counter)) var count = 5
    init() {}
  }

  @Model final class BigBox: Box {
    var name = ""
    override init() { super.init() }
  }

  @Model final class Label {
    @Attribute(.unique(onConflict: .reject)) var name: String
    init(_ name: String) { self.name = name }
  }
}

/// Edits that a context has not saved when another device's, or another context's, come.
@Suite struct UnsavedEditTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))
  private let own: Drawers.Drawer
  private let other: Drawers.Drawer

  init() throws {
    folder = try Folder()
    let merges = [CustomMerge.appending(model: "Drawer", property: "notes")]
    first = try Machine(1, Drawers.self, at: folder.store("first"), merges: merges)
    second = try Machine(2, Drawers.self, at: folder.store("second"), merges: merges)
    own = Drawers.Drawer()
    first.context.insert(own)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    other = try #require(second.all(Drawers.Drawer.self, by: SortDescriptor(\.name)).first)
  }

  private mutating func syncAll() throws {
    for machine in [first, second, first, second] { try machine.sync(&zone) }
  }

  private mutating func writeElsewhere(_ edit: (Drawers.Drawer) -> Void) throws {
    edit(other)
    try second.context.save()
    try second.sync(&zone)
    try first.sync(&zone)
  }

  private func expectEverywhere<Value: Equatable>(_ property: KeyPath<Drawers.Drawer, Value>, _ value: Value) throws {
    for machine in [first, second] {
      let drawer = try #require(ModelContext(machine.container).fetch(FetchDescriptor<Drawers.Drawer>()).first)
      #expect(drawer[keyPath: property] == value)
    }
  }

  @Test mutating func `an attribute with a rule has an unsaved edit beside what came meanwhile`() throws {
    own.count += 1
    own.weight = 1.5
    own.best = 8
    own.least = 3
    own.marks.append("own")
    own.lines.insert("own", at: 1)
    own.pages.append("own")
    own.notes += "own"
    try writeElsewhere { other in
      other.count += 5
      other.weight = 2
      other.best = 7
      other.least = 4
      other.marks = ["other"]
      other.lines.append("other")
      other.pages.removeFirst()
      other.notes += "other"
    }
    try first.context.save()
    #expect(own.count == 11)
    try syncAll()
    try expectEverywhere(\.count, 11)
    try expectEverywhere(\.weight, 3.5)
    try expectEverywhere(\.best, 8)
    try expectEverywhere(\.least, 3)
    try expectEverywhere(\.marks, ["other", "own"])
    try expectEverywhere(\.lines, ["1", "own", "2", "3", "other"])
    try expectEverywhere(\.pages, (1..<30).map { "page \($0)" } + ["own"])
    try expectEverywhere(\.notes, "otherown")
  }

  @Test mutating func `a context that looks shows its edit beside what came, until it rolls back`() throws {
    own.count += 1
    own.pages.append("own")
    try writeElsewhere { other in
      other.count = 10
      other.pages.removeFirst()
    }
    _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    #expect(own.count == 11 && own.pages.count == 30)
    let matching = FetchDescriptor<Drawers.Drawer>(predicate: #Predicate { $0.count == 11 })
    #expect(try first.context.fetchCount(matching) == 1)
    own.count += 1
    try writeElsewhere { $0.count = 20 }
    _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    #expect(own.count == 22)
    first.context.rollback()
    #expect(own.count == 20 && own.pages.count == 29)
    try syncAll()
    try expectEverywhere(\.count, 20)
  }

  @Test mutating func `a counter has what two contexts of a store add`() throws {
    let context = ModelContext(first.container)
    let same = try #require(context.fetch(FetchDescriptor<Drawers.Drawer>()).first)
    own.count += 1
    same.count += 2
    try context.save()
    try first.context.save()
    same.count += 4
    try context.save()
    try syncAll()
    try expectEverywhere(\.count, 12)
  }

  @Test mutating func `an inherited attribute is merged`() throws {
    let box = Drawers.BigBox()
    first.context.insert(box)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let same = try #require(second.all(Drawers.BigBox.self, by: SortDescriptor(\.count)).first)
    box.count += 1
    same.count += 2
    try second.context.save()
    try second.sync(&zone)
    try first.sync(&zone)
    try first.context.save()
    #expect(box.count == 8)
  }

  @Test mutating func `a counter has what both add, though that is the same`() throws {
    own.count += 1
    try writeElsewhere { $0.count += 1 }
    try first.context.save()
    #expect(own.count == 7)
    try syncAll()
    try expectEverywhere(\.count, 7)
  }

  @Test(arguments: [false, true])
  mutating func `a save keeps beside its value what came meanwhile, where both are to be kept`(isDraft: Bool) throws {
    if isDraft {
      let draft = ModelContext(draftOf: first.context)
      try #require(draft.model(for: own.persistentModelID) as? Drawers.Drawer).motto = "own"
      try writeElsewhere { $0.motto = "other" }
      _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
      try draft.save()
    } else {
      own.motto = "own"
      try writeElsewhere { $0.motto = "other" }
      _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    }
    #expect(own.motto == "own")
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.motto, "own")
    let conflict = try #require(first.synced.conflicts(limit: 5).first)
    #expect(conflict.property == "motto" && conflict.outcome == .open)
    try first.synced.resolve(conflict.id, keeping: .remote)
    try syncAll()
    try expectEverywhere(\.motto, "other")
  }

  @Test(arguments: [false, true])
  mutating func `who goes on with such an edit before it is sent has not seen what came either`(isNoted: Bool) throws {
    own.motto = "own"
    try writeElsewhere { $0.motto = "other" }
    try first.context.save()
    if isNoted { try first.synced.noteChanges(now: first.now) }
    own.motto = "own, too"
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.motto, "own, too")
    #expect(try first.synced.conflicts(limit: 5).map(\.outcome) == [.open])
  }

  @Test mutating func `what another context of the device wrote is kept beside nothing`() throws {
    let context = ModelContext(first.container)
    let same = try #require(context.fetch(FetchDescriptor<Drawers.Drawer>()).first)
    own.motto = "own"
    same.motto = "same"
    try context.save()
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.motto, "own")
    #expect(try first.synced.conflicts(limit: 5).isEmpty)
    own.motto = "later"
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.motto, "later")
  }

  @Test mutating func `a draft's edit is beside what came to its parent`() throws {
    let draft = ModelContext(draftOf: first.context)
    let copy = try #require(draft.model(for: own.persistentModelID) as? Drawers.Drawer)
    copy.count += 1
    copy.name = "draft"
    own.count += 2
    try writeElsewhere { $0.count += 5 }
    _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    #expect(own.count == 12)
    try draft.save()
    #expect(own.count == 13)
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.count, 13)
    try expectEverywhere(\.name, "draft")
  }

  @Test(arguments: ModelContext.MergePolicy.allCases)
  mutating func `a rule comes before the context's policy`(_ policy: ModelContext.MergePolicy) throws {
    first.context.mergePolicy = policy
    own.count += 1
    own.name = "own"
    try writeElsewhere {
      $0.count += 5
      $0.name = "other"
    }
    if policy == .error {
      let error = try #require(throws: SwiftDataError.self) { try first.context.save() }
      #expect(error.conflicts.map(\.propertyNames) == [["name"]])
      #expect(own.count == 6)
      try first.context.resolve(error.conflicts, keeping: .own)
    }
    try first.context.save()
    #expect(own.count == 11)
    try syncAll()
    try expectEverywhere(\.count, 11)
    try expectEverywhere(\.name, policy == .storeWins ? "other" : "own")
  }

  @Test mutating func `an edit that has been undone adds nothing to what came`() throws {
    first.context.undoManager = UndoManager()
    own.count += 1
    first.context.undoManager?.undo()
    try writeElsewhere { $0.count += 2 }
    own.count += 1
    try writeElsewhere { $0.count += 3 }
    _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    #expect(own.count == 11)
    first.context.undoManager?.undo()
    #expect(own.count == 10)
    try writeElsewhere { $0.count += 10 }
    first.context.undoManager?.redo()
    #expect(own.count == 21)
    first.context.undoManager?.undo()
    own.name = "own"
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.count, 20)
    try expectEverywhere(\.name, "own")
  }

  @Test mutating func `an undo of the second of two unsaved edits leaves the first, and what came`() throws {
    first.context.undoManager = UndoManager()
    own.count += 1
    own.marks.append("one")
    first.context.processPendingChanges()
    own.count += 1
    own.marks.append("two")
    first.context.processPendingChanges()
    try writeElsewhere {
      $0.count += 5
      $0.marks.append("other")
    }
    _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    #expect(own.count == 12)
    first.context.undoManager?.undo()
    #expect(own.count == 11)
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.count, 11)
    try expectEverywhere(\.marks, ["a", "other", "one"])
  }

  @Test(arguments: ModelContext.MergePolicy.allCases)
  mutating func `a value in a file is merged, though the context edits it before it hears of the other`(
    _ policy: ModelContext.MergePolicy
  ) throws {
    first.context.mergePolicy = policy
    // A save that fails has written the edit's own file, which goes with it.
    let context = ModelContext(first.container)
    context.mergePolicy = policy
    let drawer = try #require(context.fetch(FetchDescriptor<Drawers.Drawer>()).first)
    #expect(drawer.pages.count == 30)
    try writeElsewhere { $0.pages.append("other") }
    drawer.pages.append("own")
    let duplicate = Drawers.Label("one")
    context.insert(Drawers.Label("one"))
    context.insert(duplicate)
    #expect(throws: SwiftDataError.self) { try context.save() }
    context.delete(duplicate)
    try writeElsewhere { $0.pages.append("another") }
    try context.save()
    try syncAll()
    try expectEverywhere(\.pages, (0..<30).map { "page \($0)" } + ["other", "another", "own"])
  }

  @Test mutating func `a policy that writes whole objects leaves what has a rule`() throws {
    first.context.mergePolicy = .ownObjectWins
    own.name = "own"
    try writeElsewhere {
      $0.count += 5
      $0.motto = "other"
    }
    _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    #expect(own.count == 10 && own.motto == "other")
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.count, 10)
    try expectEverywhere(\.motto, "other")
    try expectEverywhere(\.name, "own")
  }

  @Test mutating func `a small value that might be in a file is merged as others are`() throws {
    own.weighed += 1
    try writeElsewhere { $0.weighed += 2 }
    try first.context.save()
    #expect(own.weighed == 3)
    try syncAll()
    try expectEverywhere(\.weighed, 3)
  }

  @Test mutating func `what both inserted is there once, and more that is edited is added`() throws {
    own.lines.append("milk")
    try writeElsewhere { $0.lines.append("milk") }
    _ = try first.context.fetch(FetchDescriptor<Drawers.Drawer>())
    own.lines.append("eggs")
    try first.context.save()
    try syncAll()
    try expectEverywhere(\.lines, ["1", "2", "3", "milk", "eggs"])
  }
}
