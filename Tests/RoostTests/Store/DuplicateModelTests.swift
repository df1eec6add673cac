import Foundation
import Observation
import Roost
import RoostTesting
import Synchronization
import Testing

@Model private final class Hall {
  @Attribute(.unique) var number: Int
  var name: String
  private(set) var floor: Int
  @Attribute(.externalStorage) var plan: Data?
  @Relationship(deleteRule: .cascade, inverse: \Stool.room) var desks: [Stool] = []
  @Relationship(inverse: \Caller.rooms) var people: [Caller] = []

  init(number: Int, name: String, floor: Int = 0) {
    self.number = number
    self.name = name
    self.floor = floor
  }
}

@Model private final class Stool {
  var label: String
  var room: Hall?

  init(_ label: String, room: Hall? = nil) {
    self.label = label
    self.room = room
  }
}

@Model private final class Caller {
  var name: String
  var rooms: [Hall]

  init(_ name: String, rooms: [Hall] = []) {
    self.name = name
    self.rooms = rooms
  }
}

/// New models that became the update of a row whose model the context had: a program goes on with either of the two.
@Suite struct DuplicateModelTests {
  private let container: ModelContainer
  private let context: ModelContext
  private let known: Hall
  private let again: Hall

  init() throws {
    container = try ModelContainer(
      for: Hall.self, Stool.self, Caller.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    known = Hall(number: 1, name: "old", floor: 1)
    context.insert(known)
    known.desks = [Stool("first")]
    try context.save()
    again = Hall(number: 1, name: "new", floor: 2)
    context.insert(again)
    try context.save()
  }

  private func stored() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Hall>(sortBy: [SortDescriptor(\.number)])).map { room in
      let (desks, people) = (room.desks.map(\.label).sorted(), room.people.map(\.name).sorted())
      return "\(room.number) \(room.name) \(desks) \(people)"
    }
  }

  @Test func `it has the row's identifier, context and values`() throws {
    #expect(again.persistentModelID == known.persistentModelID)
    #expect(again.modelContext === context)
    #expect(try context.fetch(FetchDescriptor<Hall>()).first === known)
    let registered: Hall? = context.registeredModel(for: again.persistentModelID)
    #expect(registered === known)
    known.name = "newer"
    #expect(again.name == "newer" && again.floor == 2 && known.floor == 2)
    #expect(again.desks.map(\.label) == ["first"])
    let other = ModelContext(container)
    try #require(other.fetch(FetchDescriptor<Hall>()).first).name = "newest"
    known.name = "newer still"
    context.rollback()
    try other.save()
    #expect(again.name == "newest" && known.name == "newest")
    #expect(try again.readValue(forKey: \.name) == "newest")
    #expect(again.snapshot().name == "newest")
    var snapshot = known.snapshot()
    snapshot.name = "applied"
    try again.apply(snapshot)
    #expect(known.name == "applied")
  }

  @Test func `what it is set to is the row's`() throws {
    again.name = "set"
    #expect(known.name == "set" && known.hasChanges && again.hasChanges && context.hasChanges)
    #expect(context.changedModelsArray.map { $0 as AnyObject }.allSatisfy { $0 === known })
    again.plan = Data([1, 2, 3])
    again.desks.append(Stool("second"))
    again.people = [Caller("Ada")]
    try context.save()
    #expect(try stored() == ["1 set [\"first\", \"second\"] [\"Ada\"]"])
    #expect(known.plan == Data([1, 2, 3]) && again.plan == Data([1, 2, 3]))
    #expect(again.desks.allSatisfy { $0.room === known })
    again.desks.removeAll { $0.label == "first" }
    again.people = []
    try context.save()
    #expect(try stored() == ["1 set [\"second\"] []"])
    #expect(!again.hasChanges)
    again.setValue(forKey: \.name, to: "by key")
    context.rollback()
    #expect(again.name == "set" && known.name == "set")
  }

  @Test func `models that refer to it refer to the row's model`() throws {
    let (early, late) = (Stool("early"), Stool("late", room: again))
    context.insert(early)
    early.room = again
    let person = Caller("Ada", rooms: [again, known])
    let second = Caller("Bob")
    context.insert(person)
    context.insert(second)
    second.rooms.append(again)
    #expect(early.room === known && late.room === known)
    #expect(person.rooms.count == 1 && person.rooms.first === known)
    #expect(second.rooms.count == 1 && second.rooms.first === known)
    #expect(Set(known.desks.map(\.label)) == ["first", "early", "late"])
    try context.save()
    #expect(try stored() == ["1 new [\"early\", \"first\", \"late\"] [\"Ada\", \"Bob\"]"])
    let room = again
    let id = again.persistentModelID
    #expect(try context.fetchCount(FetchDescriptor<Stool>(predicate: #Predicate { $0.room == room })) == 3)
    #expect(
      try context.fetchCount(FetchDescriptor<Stool>(predicate: #Predicate { $0.room?.persistentModelID == id })) == 3)
  }

  @Test func `its deletion is the row's`() throws {
    context.delete(again)
    #expect(known.isDeleted && again.isDeleted)
    context.insert(again)
    #expect(!known.isDeleted && !again.isDeleted)
    try context.save()
    #expect(try stored() == ["1 new [] []"])
    context.delete(again)
    try context.save()
    #expect(try stored() == [])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Stool>()) == 0)
    #expect(again.isDeleted && again.modelContext == nil && again.name == "new")
    context.insert(again)
    try context.save()
    #expect(try stored() == ["1 new [] []"])
    #expect(again.persistentModelID == known.persistentModelID)
  }

  @Test func `its insertion changes nothing`() throws {
    context.insert(again)
    #expect(!context.hasChanges)
    known.name = "edited"
    context.insert(again)
    try context.save()
    #expect(try stored() == ["1 edited [\"first\"] []"])
  }

  @Test func `another context refuses it as it would the row's model`() throws {
    let other = ModelContext(container)
    other.insert(again)
    #expect(throws: SwiftDataError.self) { try other.save() }
    #expect(throws: Never.self) { try context.save() }
  }

  @Test func `whoever observes it is told of the row's changes`() async throws {
    func track(_ model: Hall) -> @Sendable () -> Int {
      let told = Told()
      func once() {
        withObservationTracking {
          _ = model.name
        } onChange: {
          told.count.withLock { $0 += 1 }
        }
      }
      once()
      return { told.count.withLock { $0 } }
    }
    let newest = Hall(number: 1, name: "newest")
    context.insert(newest)
    let before = track(newest)
    try context.save()
    // It shows another model's values now.
    #expect(before() == 1)
    let after = track(newest)
    known.name = "changed"
    #expect(after() == 1)
    let own = track(newest)
    newest.name = "once more"
    #expect(own() == 1 && known.name == "once more")
  }

  @Test func `two new models of one save are one row, and both can be gone on with`() throws {
    let (first, second) = (Hall(number: 2, name: "first"), Hall(number: 2, name: "second"))
    context.insert(first)
    context.insert(second)
    try context.save()
    #expect(first.persistentModelID == second.persistentModelID)
    #expect(first.name == "second" && second.name == "second")
    second.name = "edited"
    first.desks.append(Stool("a"))
    second.desks.append(Stool("b"))
    try context.save()
    #expect(try stored().last == "2 edited [\"a\", \"b\"] []")
  }

  @Test func `duplicates of a duplicate are the row's, too`() throws {
    context.delete(known)
    try context.save()
    let other = Hall(number: 1, name: "other")
    context.insert(other)
    try context.save()
    context.insert(known)
    try context.save()
    #expect(again.persistentModelID == other.persistentModelID)
    again.name = "through two"
    #expect(other.name == "through two" && known.name == "through two")
    try context.save()
    #expect(try stored() == ["1 through two [] []"])
  }

  @Test func `it goes with the row's model to another context`() throws {
    let other = ModelContext(container)
    context.delete(again)
    try context.save()
    other.insert(again)
    again.desks.append(Stool("moved"))
    try other.save()
    #expect(again.modelContext === other && known.modelContext === other && again.desks.map(\.label) == ["moved"])
    again.desks[0].label = "edited"
    let caller = Caller("Eve", rooms: [again, known])
    let stool = Stool("set")
    other.insert(stool)
    try other.save()
    try other.update(model: Stool.self, where: #Predicate { $0.label == "set" }, set: .set(\.room, to: again))
    #expect(try stored() == ["1 new [\"edited\", \"set\"] [\"Eve\"]"])
    #expect(caller.rooms.count == 1 && caller.rooms.first === known && !context.hasChanges)
  }

  @Test func `models that referred to it before the save enter the context with the row's model`() throws {
    let newest = Hall(number: 1, name: "newest")
    let (stool, caller) = (Stool("early"), Caller("Eve"))
    (stool.room, caller.rooms) = (newest, [newest])
    context.insert(stool)
    try context.save()
    #expect(stool.room === known && caller.rooms.first === known)
    context.insert(caller)
    try context.save()
    #expect(try stored() == ["1 newest [\"early\", \"first\"] [\"Eve\"]"])
  }

  @Test(.timeLimit(.minutes(1))) @MainActor
  func `a loop over what it is, begun before the save, is told of the row's changes`() async throws {
    let newest = Hall(number: 1, name: "newest")
    context.insert(newest)
    var iterator = context.observe(newest).makeAsyncIterator()
    try context.save()
    known.name = "changed"
    #expect(await iterator.next() === known)
    #expect(newest.name == "changed")
  }

  @Test func `an edit of it is undone and redone`() throws {
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.undoManager = manager
    manager.beginUndoGrouping()
    again.name = "edited"
    again.desks.append(Stool("new"))
    context.processPendingChanges()
    manager.endUndoGrouping()
    manager.undo()
    #expect(known.name == "new" && again.name == "new" && again.desks.count == 1)
    manager.redo()
    #expect(known.name == "edited" && again.name == "edited" && again.desks.count == 2)
  }

  @Test func `it keeps the row's model, and goes without a trace`() throws {
    let container = container
    weak var released: Hall?
    do {
      let context = ModelContext(container)
      func inserted() throws -> Hall {
        let known = try #require(context.fetch(FetchDescriptor<Hall>()).first)
        let again = Hall(number: 1, name: "again")
        context.insert(again)
        try context.save()
        released = known
        return again
      }
      var again: Hall? = try inserted()
      #expect(released != nil)
      again?.name = "kept"
      try context.save()
      again = nil
      #expect(released == nil)
      #expect(try context.fetch(FetchDescriptor<Hall>()).map(\.name) == ["kept"])
    }
  }

  @Test func `it outlives its context as the row's model does`() throws {
    var own: ModelContext? = ModelContext(container)
    let known = try #require(own?.fetch(FetchDescriptor<Hall>()).first)
    let again = Hall(number: 1, name: "again")
    own?.insert(again)
    try own?.save()
    #expect(known.name == "again")
    own = nil
    #expect(again.name == known.name && again.modelContext == nil)
    again.name = "without a context"
    #expect(known.name == "without a context")
  }
}

private final class Told: Sendable {
  let count = Mutex(0)
}
