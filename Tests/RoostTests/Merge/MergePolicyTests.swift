import Foundation
import Roost
import RoostCore
import Synchronization
import Testing

/// What becomes of edits of a row that others have changed since.
@Suite struct MergePolicyTests {
  @Test(arguments: ModelContext.MergePolicy.allCases)
  func `a property that only one side changed is that side's`(_ policy: ModelContext.MergePolicy) throws {
    if policy == .ownObjectWins { return }
    let scene = try MergeScene(policy)
    scene.note.title = "own"
    scene.same.stars = 2
    scene.same.place = .init(city: "Bern")
    scene.same.picture = Data(repeating: 7, count: 100)
    scene.same.shade = MergedShade(7)
    try scene.other.save()
    try scene.context.save()
    let stored = try scene.stored()
    #expect(stored.title == "own" && stored.stars == 2 && stored.place?.city == "Bern" && stored.shade?.level == 7)
    #expect(stored.picture == Data(repeating: 7, count: 100))
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    #expect(scene.note.stars == 2 && scene.note.picture?.count == 100)
  }

  @Test(arguments: ModelContext.MergePolicy.allCases)
  func `a list has what either side adds`(_ policy: ModelContext.MergePolicy) throws {
    let scene = try MergeScene(policy)
    scene.note.tags.append(MergedTag(name: "own"))
    scene.same.tags.append(MergedTag(name: "other"))
    let folder = MergedFolder(name: "F")
    scene.other.insert(folder)
    scene.same.folder = folder
    try scene.other.save()
    try scene.context.save()
    #expect(Set(try scene.stored().tags.map(\.name)) == ["own", "other"])
    #expect(try scene.stored().folder?.name == "F")
  }

  @Test(arguments: [true, false], [true, false])
  func `a link that others have made or removed as well can be taken back`(isMade: Bool, isDraft: Bool) throws {
    let scene = try MergeScene()
    let tag = MergedTag(name: "tag")
    scene.context.insert(tag)
    if !isMade { scene.note.tags = [tag] }
    try scene.context.save()
    let context = isDraft ? ModelContext(draftOf: scene.context) : scene.context
    let note = try #require(context.model(for: scene.note.persistentModelID) as? MergedNote)
    let own = try #require(context.model(for: tag.persistentModelID) as? MergedTag)
    let (writer, same) = isDraft ? (scene.context, scene.note) : (scene.other, scene.same)
    let others = try #require(writer.model(for: tag.persistentModelID) as? MergedTag)
    note.tags = isMade ? [own] : []
    same.tags = isMade ? [others] : []
    try writer.save()
    #expect(try context.fetch(FetchDescriptor<MergedNote>()).first?.tags.isEmpty == !isMade)
    note.tags = isMade ? [] : [own]
    try context.save()
    if isDraft { try scene.context.save() }
    #expect(note.tags.isEmpty == isMade)
    #expect(try scene.stored().tags.isEmpty == isMade)
  }

  @Test(arguments: [ModelContext.MergePolicy.error, .storeWins], [true, false])
  func `where the store wins a one-to-one relationship, both sides of the edit go`(
    policy: ModelContext.MergePolicy, isNew: Bool
  ) throws {
    let context = try makePeople()
    context.mergePolicy = policy
    let (person, passports) = (Person(name: "A"), ["1", "2", "3"].map { Passport(number: $0) })
    context.insert(person)
    for passport in passports { context.insert(passport) }
    person.passport = passports[0]
    try context.save()
    let edited = isNew ? Passport(number: "4") : passports[1]
    person.passport = edited
    let other = ModelContext(context.container)
    let same = try #require(other.model(for: person.persistentModelID) as? Person)
    same.passport = other.model(for: passports[2].persistentModelID) as? Passport
    try other.save()
    do { try context.save() } catch let error as SwiftDataError where error == .mergeConflict {
      try context.resolve(error.conflicts, keeping: .store)
      try context.save()
    }
    #expect(person.passport === passports[2] && passports[2].holder === person)
    #expect(edited.holder == nil && passports[0].holder == nil)
    let stored = try ModelContext(context.container).fetch(FetchDescriptor<Passport>())
    #expect(stored.filter { $0.holder != nil }.map(\.number) == ["3"] && stored.count == (isNew ? 4 : 3))
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Person>()).first?.passport?.number == "3")
  }

  @Test func `by default the own value of a property wins`() throws {
    let scene = try MergeScene()
    scene.note.title = "own"
    scene.same.title = "other"
    try scene.other.save()
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    #expect(scene.note.title == "own")
    try scene.context.save()
    #expect(try scene.stored().title == "own")
  }

  @Test func `a conflict's values are there when its container is gone`() throws {
    func conflict() throws -> MergeConflict {
      let scene = try MergeScene(.error)
      let folders = [MergedFolder(name: "own"), MergedFolder(name: "other")]
      for folder in folders { scene.context.insert(folder) }
      try scene.context.save()
      scene.note.folder = folders[0]
      scene.same.folder = scene.other.model(for: folders[1].persistentModelID) as? MergedFolder
      try scene.other.save()
      let error = try #require(throws: SwiftDataError.self) { try scene.context.save() }
      return try #require(error.conflicts.first)
    }
    let values = try #require(try conflict().values(of: \MergedNote.folder))
    #expect(values.own??.entityName == "MergedFolder" && values.own != values.store)
  }

  @Test func `where the store wins, its value replaces the edit, and the other edits are saved`() throws {
    let scene = try MergeScene(.storeWins)
    scene.note.title = "own"
    scene.note.stars = 9
    scene.same.title = "other"
    try scene.other.save()
    try scene.context.save()
    let stored = try scene.stored()
    #expect(stored.title == "other" && stored.stars == 9)
    #expect(scene.note.title == "other" && !scene.context.hasChanges)
  }

  @Test func `where the store wins, a context that looks drops its edit`() throws {
    let scene = try MergeScene(.storeWins)
    scene.note.title = "own"
    scene.note.stars = 9
    scene.same.title = "other"
    try scene.other.save()
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    #expect(scene.note.title == "other" && scene.note.stars == 9)
    scene.note.title = "again"
    try scene.context.save()
    #expect(try scene.stored().title == "again")
  }

  @Test func `where the store wins, edits of a row that is gone are dropped`() throws {
    let scene = try MergeScene(.storeWins)
    scene.note.title = "own"
    scene.other.delete(scene.same)
    try scene.other.save()
    try scene.context.save()
    #expect(scene.note.isDeleted && scene.note.modelContext == nil && !scene.context.hasChanges)
  }

  @Test func `where the own object wins, all of its attributes are saved`() throws {
    let scene = try MergeScene(.ownObjectWins)
    scene.note.title = "own"
    scene.same.stars = 7
    scene.same.title = "other"
    try scene.other.save()
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    #expect(scene.note.stars == 1)
    // Queries are asked of what the save writes.
    let isOthers = FetchDescriptor<MergedNote>(predicate: #Predicate { $0.stars == 7 })
    #expect(try scene.context.fetch(isOthers).isEmpty)
    #expect(try scene.context.aggregate(FetchDescriptor<MergedNote>(), .sum(\.stars)) == 1)
    try scene.context.save()
    let stored = try scene.stored()
    #expect(stored.title == "own" && stored.stars == 1)
  }

  @Test func `a conflict is thrown with all three values, writes nothing and leaves the context as it was`() throws {
    let scene = try MergeScene(.error)
    let folders = [MergedFolder(name: "F"), MergedFolder(name: "G")]
    for folder in folders { scene.other.insert(folder) }
    try scene.other.save()
    let own = try #require(scene.context.model(for: folders[0].persistentModelID) as? MergedFolder)
    scene.note.title = "own"
    scene.note.stars = 3
    scene.note.folder = own
    (scene.same.title, scene.same.folder) = ("other", folders[1])
    try scene.other.save()
    let error = try #require(throws: SwiftDataError.self) { try scene.context.save() }
    #expect(error == .mergeConflict && error.model == "MergedNote" && error.row == scene.note.persistentModelID)
    let conflict = try #require(error.conflicts.first)
    #expect(error.conflicts.count == 1 && conflict.propertyNames == ["title", "folder"] && !conflict.isDeleted)
    let title = try #require(conflict.values(of: \MergedNote.title))
    #expect(title.ancestor == "A" && title.own == "own" && title.store == "other")
    let folder = try #require(conflict.values(of: \MergedNote.folder))
    #expect(folder.ancestor == .some(nil) && folder.own == folders[0].persistentModelID)
    #expect(folder.store == folders[1].persistentModelID && conflict.values(of: \MergedNote.stars) == nil)
    #expect(try scene.stored().title == "other" && scene.stored().stars == 1)
    #expect(scene.note.title == "own" && scene.note.stars == 3 && scene.note.folder === own)
    #expect(scene.context.changedModelsArray.contains { $0 === scene.note })
  }

  @Test(arguments: [MergeConflict.Side.own, .store])
  func `a conflict that is resolved is saved`(_ side: MergeConflict.Side) throws {
    let scene = try MergeScene(.error)
    scene.note.title = "own"
    scene.note.stars = 3
    scene.same.title = "other"
    try scene.other.save()
    let error = try #require(throws: SwiftDataError.self) { try scene.context.save() }
    try scene.context.resolve(error.conflicts, keeping: side)
    #expect(scene.note.title == (side == .own ? "own" : "other"))
    try scene.context.save()
    let stored = try scene.stored()
    #expect(stored.title == (side == .own ? "own" : "other") && stored.stars == 3)
  }

  @Test func `a conflict that is resolved is one again when somebody changes the property once more`() throws {
    let scene = try MergeScene(.error)
    scene.note.title = "own"
    scene.same.title = "other"
    try scene.other.save()
    let error = try #require(throws: SwiftDataError.self) { try scene.context.save() }
    try scene.context.resolve(error.conflicts, keeping: .own)
    scene.same.title = "third"
    try scene.other.save()
    let second = try #require(throws: SwiftDataError.self) { try scene.context.save() }
    #expect(second.conflicts.first?.values(of: \MergedNote.title)?.ancestor == "other")
  }

  @Test func `what a context has seen of the others is no ancestor of an edit made before`() throws {
    let scene = try MergeScene(.error)
    scene.note.title = "own"
    scene.same.title = "other"
    try scene.other.save()
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    #expect(throws: SwiftDataError.mergeConflict) { try scene.context.save() }
    scene.context.rollback()
    #expect(scene.note.title == "other")
    scene.note.title = "own"
    try scene.context.save()
  }

  @Test func `the same value on both sides is no conflict`() throws {
    let scene = try MergeScene(.error)
    scene.note.words = ["a", "b", "c", "d"]
    scene.same.words = ["d", "c", "b", "a"]
    (scene.note.title, scene.same.title) = ("same", "same")
    try scene.other.save()
    try scene.context.save()
    #expect(try scene.stored().title == "same")
  }

  @Test func `a set that nobody else changed is no conflict, whatever its order in the store`() throws {
    let scene = try MergeScene(.error)
    scene.note.words = ["a", "b", "c", "d", "e", "f"]
    try scene.context.save()
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    scene.note.words.insert("g")
    try scene.context.save()
    #expect(try scene.stored().words.count == 7)
  }

  @Test(arguments: ModelContext.MergePolicy.allCases)
  func `a composite and a transformed value that both sides changed are the policy's`(
    _ policy: ModelContext.MergePolicy
  ) throws {
    let scene = try MergeScene(policy)
    (scene.note.place, scene.note.shade) = (.init(city: "Bern", street: "A"), MergedShade(1))
    try scene.context.save()
    _ = try scene.other.fetch(FetchDescriptor<MergedNote>())
    // A composite is one property, whichever of its fields each side changes.
    scene.note.place?.city = "own"
    scene.note.shade = MergedShade(2)
    scene.same.place?.street = "other"
    scene.same.shade = MergedShade(3)
    try scene.other.save()
    let isStores = policy == .storeWins || policy == .error
    if policy == .error {
      let error = try #require(throws: SwiftDataError.self) { try scene.context.save() }
      let conflict = try #require(error.conflicts.first)
      #expect(conflict.propertyNames == ["place", "shade"])
      let place = try #require(conflict.values(of: \MergedNote.place))
      #expect(place.ancestor == .init(city: "Bern", street: "A") && place.own == .init(city: "own", street: "A"))
      #expect(place.store == .init(city: "Bern", street: "other"))
      let shade = try #require(conflict.values(of: \MergedNote.shade))
      #expect([shade.ancestor, shade.own, shade.store].map { $0??.level } == [1, 2, 3])
      try scene.context.resolve(error.conflicts, keeping: .store)
    }
    try scene.context.save()
    let place = isStores ? MergedNote.Place(city: "Bern", street: "other") : .init(city: "own", street: "A")
    for note in [try scene.stored(), scene.note] {
      #expect(note.place == place && note.shade?.level == (isStores ? 3 : 2))
    }
  }

  @Test func `a transformed value is in conflict by what it is, not by its bytes`() throws {
    let scene = try MergeScene(.error)
    scene.note.shade = MergedShade(1)
    try scene.context.save()
    _ = try scene.other.fetch(FetchDescriptor<MergedNote>())
    // Stored anew, and the same as it was; and both sides to the same.
    scene.same.shade = MergedShade(1)
    try scene.other.save()
    scene.note.shade = MergedShade(2)
    try scene.context.save()
    _ = try scene.other.fetch(FetchDescriptor<MergedNote>())
    (scene.note.shade, scene.same.shade) = (MergedShade(3), MergedShade(3))
    try scene.other.save()
    try scene.context.save()
    #expect(try scene.stored().shade?.level == 3)
  }

  @Test func `external values are told in a conflict`() throws {
    let scene = try MergeScene(.error)
    scene.note.picture = Data(repeating: 1, count: 50)
    try scene.context.save()
    _ = try scene.other.fetch(FetchDescriptor<MergedNote>())
    scene.note.picture = Data(repeating: 2, count: 50)
    scene.same.picture = Data(repeating: 3, count: 50)
    try scene.other.save()
    let error = try #require(throws: SwiftDataError.self) { try scene.context.save() }
    let picture = try #require(error.conflicts.first?.values(of: \MergedNote.picture))
    // The file of the first is gone.
    #expect(picture.ancestor == nil)
    #expect(picture.own == Data(repeating: 2, count: 50) && picture.store == Data(repeating: 3, count: 50))
    try scene.context.resolve(error.conflicts, keeping: .store)
    #expect(scene.note.picture == Data(repeating: 3, count: 50))
  }

  @Test func `an edit of a row that is gone is an error, which the store's side resolves`() throws {
    let scene = try MergeScene(.error)
    scene.note.title = "own"
    scene.other.delete(scene.same)
    try scene.other.save()
    let error = try #require(throws: SwiftDataError.self) { try scene.context.save() }
    #expect(error == .mergeConflict && error.conflicts.map(\.isDeleted) == [true])
    try scene.context.resolve(error.conflicts, keeping: .store)
    try scene.context.save()
    #expect(scene.note.isDeleted)
  }

  @Test func `by default an edit of a row that is gone stays, and cannot be saved`() throws {
    let scene = try MergeScene()
    scene.note.title = "own"
    scene.other.delete(scene.same)
    try scene.other.save()
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    #expect(scene.note.isDeleted && scene.note.title == "own")
    #expect(throws: SwiftDataError.modelValidationFailure) { try scene.context.save() }
    scene.context.rollback()
    try scene.context.save()
  }

  @Test func `a policy that is set after edits takes what is stored then for what they were made of`() throws {
    let scene = try MergeScene()
    scene.note.title = "own"
    scene.context.mergePolicy = .error
    scene.same.title = "other"
    try scene.other.save()
    #expect(throws: SwiftDataError.mergeConflict) { try scene.context.save() }
  }

  @Test(arguments: ModelContext.MergePolicy.allCases)
  func `what a context has only let go of others may have deleted`(_ policy: ModelContext.MergePolicy) throws {
    let context = try makeLibrary()
    context.mergePolicy = policy
    let author = Author(name: "A")
    author.books = ["a", "b"].map { Book(title: $0) }
    context.insert(author)
    try context.save()
    let other = ModelContext(context.container)
    let deleted = author.books.remove(at: 0)
    other.delete(other.model(for: deleted.persistentModelID))
    try other.save()
    try context.save()
    #expect(author.books.map(\.title) == ["b"])
    #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test func `contexts have the configuration's policy`() throws {
    var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    configuration.storeOptions.mergePolicy = .storeWins
    let container = try ModelContainer(for: MergedNote.self, configurations: configuration)
    #expect(ModelContext(container).mergePolicy == .storeWins)
  }

  @Test func `an undo gives an edit up for what others have saved meanwhile`() throws {
    let scene = try MergeScene()
    let manager = UndoManager()
    scene.context.undoManager = manager
    scene.note.title = "own"
    scene.context.processPendingChanges()
    scene.same.title = "other"
    scene.same.stars = 5
    try scene.other.save()
    _ = try scene.context.fetch(FetchDescriptor<MergedNote>())
    manager.undo()
    #expect(scene.note.title == "other" && scene.note.stars == 5 && !scene.context.hasChanges)
    manager.redo()
    #expect(scene.note.title == "own")
    try scene.context.save()
    #expect(try scene.stored().title == "own" && scene.stored().stars == 5)
  }

  @Test func `only a policy that asks for it reads rows in a save`() throws {
    for (policy, expected) in [(ModelContext.MergePolicy.ownChangesWin, 0), (.error, 1), (.storeWins, 1)] {
      let reads = Mutex(0)
      var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
      configuration.storeOptions.mergePolicy = policy
      configuration.storeOptions.recorder = StatementRecorder { sql in
        if "\(sql)".contains("FROM \"MergedNote\"") { reads.withLock { $0 += 1 } }
      }
      let context = ModelContext(try ModelContainer(for: MergedNote.self, configurations: configuration))
      let note = MergedNote()
      context.insert(note)
      try context.save()
      note.title = "own"
      reads.withLock { $0 = 0 }
      try context.save()
      #expect(reads.withLock { $0 } == expected)
    }
  }
}
