import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

@Model private final class Shelf {
  @Attribute(.unique) var name: String
  var parent: Shelf?
  @Relationship(deleteRule: .cascade, inverse: \Shelf.parent) var children: [Shelf] = []
  @Relationship(inverse: \Sticker.shelf) var sticker: Sticker?
  @Relationship(deleteRule: .deny, inverse: \Permit.shelf) var permits: [Permit] = []
  @Relationship(deleteRule: .nullify, inverse: \Permit.archive) var archived: [Permit] = []
  @Relationship(deleteRule: .cascade, inverse: nil) var cover: Sticker?
  @Relationship(deleteRule: .cascade, inverse: nil) var title: Permit?

  init(_ name: String, in parent: Shelf? = nil) {
    self.name = name
    self.parent = parent
  }
}

@Model private final class Sticker {
  @Attribute(.unique) var number: Int
  var shelf: Shelf?

  init(_ number: Int) { self.number = number }
}

@Model private final class Permit {
  var number: Int
  var shelf: Shelf?
  var archive: Shelf?

  init(_ number: Int) { self.number = number }
}

/// A save changes the rows that its own pending changes name, and those that delete rules reach from there by the rows
/// as they are in its transaction. What a context read earlier never decides about a row.
@Suite struct StaleRelationshipTests {
  private let folder: TemporaryFolder
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    folder = try TemporaryFolder()
    container = try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(url: folder.store))
    context = ModelContext(container)
    let a = Shelf("A")
    context.insert(a)
    context.insert(Shelf("B"))
    context.insert(Shelf("k", in: a))
    try context.save()
  }

  private func shelf(_ name: String, _ context: ModelContext? = nil) throws -> Shelf {
    let found = try (context ?? self.context).fetch(FetchDescriptor<Shelf>(predicate: #Predicate { $0.name == name }))
    return try #require(found.first)
  }

  /// Each shelf with its parent, as the store has them.
  private func stored() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Shelf>(sortBy: [SortDescriptor(\.name)]))
      .map { "\($0.name) in \($0.parent?.name ?? "-")" }
  }

  /// Runs SQL as another program would.
  private func elsewhere(_ sql: String) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute(sql)
    connection.close()
  }

  private func moveElsewhere(byProgram: Bool) throws {
    if byProgram {
      try elsewhere("UPDATE Shelf SET parent = (SELECT _pk FROM Shelf WHERE name = 'B') WHERE name = 'k'")
    } else {
      let other = ModelContext(container)
      try shelf("k", other).parent = try shelf("B", other)
      try other.save()
    }
  }

  // MARK: - Upserts

  @Test func `an upsert that moves a row takes it out of its former owner's list`() throws {
    let (a, b) = (try shelf("A"), try shelf("B"))
    #expect(a.children.map(\.name) == ["k"] && b.children.isEmpty)
    context.insert(Shelf("k", in: b))
    try context.save()
    #expect(a.children.isEmpty && b.children.map(\.name) == ["k"])
    context.delete(a)
    try context.save()
    #expect(try stored() == ["B in -", "k in B"])
  }

  @Test func `of two new models with one unique value only the last one's owner has the row`() throws {
    let (a, b) = (try shelf("A"), try shelf("B"))
    context.insert(Shelf("new", in: a))
    context.insert(Shelf("new", in: b))
    try context.save()
    #expect(a.children.map(\.name) == ["k"] && b.children.map(\.name) == ["new"])
    context.delete(a)
    try context.save()
    #expect(try stored() == ["B in -", "new in B"])
  }

  @Test func `an upsert recorded for undo leaves no model in two lists`() throws {
    context.undoManager = UndoManager()
    let (a, b) = (try shelf("A"), try shelf("B"))
    #expect(a.children.count == 1)
    context.insert(Shelf("k", in: b))
    try context.save()
    context.undoManager?.undo()
    #expect(a.children.map(\.name) + b.children.map(\.name) == ["k"])
    try context.save()
    #expect(try stored().count == 3)
  }

  @Test func `an upsert that takes a partner leaves the former one alone`() throws {
    let (a, b) = (try shelf("A"), try shelf("B"))
    a.sticker = Sticker(1)
    try context.save()
    let sticker = Sticker(1)
    sticker.shelf = b
    context.insert(sticker)
    try context.save()
    #expect(a.sticker == nil && b.sticker?.number == 1 && b.sticker?.shelf === b)
    let other = ModelContext(container)
    #expect(try shelf("A", other).sticker == nil && shelf("B", other).sticker?.shelf?.name == "B")
  }

  @Test func `a new model that becomes a row has its partner, and who had been given to the row has nobody`() throws {
    let a = try shelf("A")
    (a.sticker, try shelf("B").sticker) = (Sticker(1), Sticker(2))
    try context.save()
    let (one, two) = (try #require(a.sticker), try #require(try shelf("B").sticker))
    a.sticker = two
    let new = Shelf("A")
    context.insert(new)
    new.sticker = one
    try context.save()
    for context in [context, ModelContext(container)] {
      let row = try shelf("A", context)
      #expect(row.sticker?.number == 1 && row.sticker?.shelf === row)
      let stickers = try context.fetch(FetchDescriptor<Sticker>(sortBy: [SortDescriptor(\.number)]))
      #expect(stickers.map { $0.shelf?.name } == ["A", nil])
    }
  }

  // MARK: - Deletions

  @Test(arguments: [false, true])
  func `a cascade spares a row that others moved since its list was read`(byProgram: Bool) throws {
    let a = try shelf("A")
    let k = try #require(a.children.first)
    try moveElsewhere(byProgram: byProgram)
    context.delete(a)
    try context.save()
    #expect(try stored() == ["B in -", "k in B"])
    #expect(!k.isDeleted && k.parent?.name == "B" && k.modelContext === context && !context.hasChanges)
  }

  @Test(arguments: [false, true])
  func `a cascade spares a row that others moved, also where a new model's deletion took it along before`(
    byProgram: Bool
  ) throws {
    let (a, k, new) = (try shelf("A"), try shelf("k"), Shelf("new"))
    context.insert(new)
    new.children.append(k)
    context.delete(new)
    context.rollback()
    context.delete(a)
    try moveElsewhere(byProgram: byProgram)
    try context.save()
    #expect(try stored() == ["B in -", "k in B"])
  }

  @Test(arguments: [false, true])
  func `a cascade takes a row along that others moved to the owner since its list was read`(byProgram: Bool) throws {
    let (b, k) = (try shelf("B"), try shelf("k"))
    #expect(b.children.isEmpty)
    try moveElsewhere(byProgram: byProgram)
    context.delete(b)
    try context.save()
    #expect(try stored() == ["A in -"])
    #expect(k.isDeleted)
  }

  @Test(arguments: [false, true])
  func `after a fetch a deletion shows what the rows say by now`(byProgram: Bool) throws {
    let (a, b) = (try shelf("A"), try shelf("B"))
    let k = try #require(a.children.first)
    context.delete(a)
    #expect(k.isDeleted)
    try moveElsewhere(byProgram: byProgram)
    _ = try context.fetch(FetchDescriptor<Sticker>())
    #expect(!k.isDeleted && b.children == [k] && k.parent === b)
    #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 2)
    try context.save()
    #expect(try stored() == ["B in -", "k in B"])
  }

  @Test func `a row whose owner is deleted keeps the owner that others gave it`() throws {
    let a = try shelf("A")
    let permit = Permit(1)
    permit.archive = a
    context.insert(permit)
    try context.save()
    #expect(a.archived.count == 1)
    try elsewhere("UPDATE Permit SET archive = (SELECT _pk FROM Shelf WHERE name = 'B')")
    context.delete(a)
    #expect(permit.archive == nil)
    try context.save()
    _ = try context.fetch(FetchDescriptor<Shelf>())
    #expect(permit.archive?.name == "B")
    #expect(try ModelContext(container).fetch(FetchDescriptor<Permit>()).map { $0.archive?.name } == ["B"])
  }

  @Test(arguments: [false, true])
  func `what may not be deleted is asked of the rows`(isDenied: Bool) throws {
    let a = try shelf("A")
    if !isDenied { a.permits = [Permit(1)] } else { context.insert(Permit(1)) }
    try context.save()
    #expect(a.permits.count == (isDenied ? 0 : 1))
    try elsewhere("UPDATE Permit SET shelf = \(isDenied ? "(SELECT _pk FROM Shelf WHERE name = 'A')" : "NULL")")
    context.delete(a)
    if isDenied {
      let error = #expect(throws: SwiftDataError.self) { try context.save() }
      #expect(error == .modelValidationFailure && "\(error as Any)".contains("Permit 1 still refers to it"))
      #expect(try stored().count == 3 && context.hasChanges)
    } else {
      try context.save()
      #expect(try stored() == ["B in -"])
    }
  }

  @Test func `what a deleted model was set to before goes with it, and nothing else`() throws {
    let a = try shelf("A")
    a.cover = Sticker(1)
    let other = Sticker(2)
    context.insert(other)
    try context.save()
    a.cover = other
    context.delete(a)
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Sticker>()).map(\.number) == [1])
  }

  // MARK: - Lists

  @Test(arguments: [false, true])
  func `a model taken out of a list stays where others have put it`(byProgram: Bool) throws {
    let a = try shelf("A")
    let k = try #require(a.children.first)
    try moveElsewhere(byProgram: byProgram)
    a.children = []
    try context.save()
    #expect(try stored() == ["A in -", "B in -", "k in B"])
    #expect(try shelf("B").children == [k] && k.parent?.name == "B" && a.children.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a list whose owner has unsaved changes follows what others save`(byProgram: Bool) throws {
    let (a, b) = (try shelf("A"), try shelf("B"))
    #expect(a.children.count == 1 && b.children.isEmpty)
    a.name = "A2"
    b.children.append(Shelf("own"))
    try moveElsewhere(byProgram: byProgram)
    let k = try shelf("k")
    #expect(a.children.isEmpty && k.parent === b)
    #expect(Set(b.children.map(\.name)) == ["k", "own"])
    try context.save()
    #expect(a.children.isEmpty && Set(b.children.map(\.name)) == ["k", "own"])
    context.delete(a)
    try context.save()
    #expect(try stored() == ["B in -", "k in B", "own in B"])
  }

  @Test(arguments: [false, true])
  func `a to-one relationship follows what others save, after any fetch`(byProgram: Bool) throws {
    let k = try shelf("k")
    #expect(k.parent?.name == "A")
    try moveElsewhere(byProgram: byProgram)
    #expect(try context.fetchCount(FetchDescriptor<Sticker>()) == 0)
    #expect(k.parent?.name == "B")
  }

  @Test func `a partner that others linked meanwhile is let go`() throws {
    let (a, b) = (try shelf("A"), try shelf("B"))
    let sticker = Sticker(1)
    context.insert(sticker)
    try context.save()
    let other = ModelContext(container)
    try shelf("A", other).sticker = try other.fetch(FetchDescriptor<Sticker>()).first
    try other.save()
    b.sticker = sticker
    try context.save()
    #expect(a.sticker == nil && b.sticker === sticker && sticker.shelf === b)
    let third = ModelContext(container)
    #expect(try shelf("A", third).sticker == nil && shelf("B", third).sticker?.shelf?.name == "B")
  }

  @Test func `a draft follows what others save, and its deletions spare what they moved`() throws {
    let draft = ModelContext(draftOf: context)
    let a = try shelf("A", draft)
    #expect(a.children.count == 1)
    draft.delete(a)
    try moveElsewhere(byProgram: false)
    try draft.save()
    try context.save()
    #expect(try stored() == ["B in -", "k in B"])
  }

  @Test func `a row moved away and back is what it was`() throws {
    let (a, k) = (try shelf("A"), try shelf("k"))
    context.delete(a)
    #expect(k.isDeleted)
    context.insert(a)
    try moveElsewhere(byProgram: false)
    context.delete(k)
    context.insert(k)
    try context.save()
    #expect(try stored().contains("k in B"))
  }

  @Test func `what was set to a model that a deletion takes along is set again when that stays`() throws {
    let (a, b, sticker) = (try shelf("A"), try shelf("B"), Sticker(1))
    a.cover = sticker
    try context.save()
    b.cover = sticker
    context.delete(a)
    try elsewhere("UPDATE Shelf SET cover = NULL WHERE name = 'A'")
    try context.save()
    #expect(b.cover === sticker && !sticker.isDeleted)
    #expect(try shelf("B", ModelContext(container)).cover?.number == 1)
  }

  @Test func `a partner that a deletion took away is given back when the deleted one stays`() throws {
    let (a, k, sticker) = (try shelf("A"), try shelf("k"), Sticker(1))
    context.insert(sticker)
    try context.save()
    sticker.shelf = k
    context.delete(a)
    #expect(sticker.shelf == nil)
    try moveElsewhere(byProgram: true)
    try context.save()
    #expect(sticker.shelf === k && k.sticker === sticker)
    let stored = try shelf("k", ModelContext(container))
    #expect(stored.sticker?.number == 1 && stored.parent?.name == "B")
  }

  @Test
  func `a partner that is set to what it is stays, when others give it away and another change takes it from them`()
    throws
  {
    let (a, b, k) = (try shelf("A"), try shelf("B"), try shelf("k"))
    let (mine, theirs) = (Sticker(1), Sticker(2))
    context.insert(mine)
    a.sticker = theirs
    try context.save()
    b.sticker = mine
    a.sticker = theirs
    let other = ModelContext(container)
    let given = try other.fetch(FetchDescriptor<Sticker>(predicate: #Predicate { $0.number == 2 }))
    given.first?.shelf = try shelf("B", other)
    try other.save()
    _ = try context.fetch(FetchDescriptor<Shelf>())
    #expect(a.sticker === theirs && theirs.shelf === a && b.sticker === mine && mine.shelf === b && k.sticker == nil)
    try context.save()
    let stored = ModelContext(container)
    #expect(try shelf("A", stored).sticker?.number == 2 && shelf("B", stored).sticker?.number == 1)
  }

  @Test func `a deletion that is undone after the save brings back no member that others have taken`() throws {
    let (a, permit) = (try shelf("A"), Permit(1))
    permit.shelf = a
    try context.save()
    let undo = UndoManager()
    context.undoManager = undo
    context.delete(a)
    try elsewhere("UPDATE Permit SET shelf = NULL")
    try context.save()
    undo.undo()
    #expect(!a.isDeleted && a.permits.isEmpty && permit.shelf == nil)
    try context.save()
    #expect(try shelf("A", ModelContext(container)).permits.isEmpty)
  }

  @Test func `a deletion that is undone after the save leaves alone what stayed as others had moved it`() throws {
    let undo = UndoManager()
    let (a, k) = (try shelf("A"), try shelf("k"))
    context.undoManager = undo
    context.delete(a)
    #expect(k.isDeleted)
    try elsewhere("UPDATE Shelf SET name = 'k2', parent = (SELECT _pk FROM Shelf WHERE name = 'B') WHERE name = 'k'")
    try context.save()
    undo.undo()
    #expect(!a.isDeleted && k.name == "k2" && k.parent?.name == "B")
    try context.save()
    #expect(try stored() == ["A in -", "B in -", "k2 in B"])
  }

  @Test func `a model that stays after all stands at the end of the lists that it came to`() throws {
    let (a, b, k) = (try shelf("A"), try shelf("B"), try shelf("k"))
    let permits = [Permit(1), Permit(2)]
    permits.forEach { context.insert($0) }
    k.title = permits[0]
    permits[1].archive = b
    try context.save()
    b.archived.append(permits[0])
    context.delete(a)
    #expect(permits[0].isDeleted && b.archived.map(\.number) == [2])
    try moveElsewhere(byProgram: false)
    try context.save()
    #expect(b.archived.map(\.number) == [2, 1])
    #expect(try shelf("B", ModelContext(container)).archived.map(\.number) == [2, 1])
  }

  @Test func `a list that an undo brought back gets back whom a deletion took out that stays after all`() throws {
    let (k, permit) = (try shelf("k"), Permit(1))
    k.title = permit
    let restored = Shelf("restored")
    context.insert(restored)
    try context.save()
    let undo = UndoManager()
    context.undoManager = undo
    context.delete(restored)
    try context.save()
    undo.undo()
    restored.archived = [permit]
    context.delete(try shelf("A"))
    #expect(permit.isDeleted && restored.archived.isEmpty)
    try moveElsewhere(byProgram: true)
    _ = try context.fetch(FetchDescriptor<Shelf>())
    #expect(!permit.isDeleted && permit.archive === restored && restored.archived == [permit])
    try context.save()
    #expect(try shelf("restored", ModelContext(container)).archived.map(\.number) == [1])
  }

  @Test func `a model that stays keeps what was taken out of its deletion`() throws {
    let (k, sticker) = (try shelf("k"), Sticker(1))
    k.cover = sticker
    try context.save()
    context.delete(try shelf("A"))
    #expect(sticker.isDeleted)
    context.insert(sticker)
    try moveElsewhere(byProgram: false)
    try context.save()
    #expect(k.cover === sticker && !sticker.isDeleted && !k.isDeleted)
    #expect(try shelf("k", ModelContext(container)).cover?.number == 1)
  }

  @Test func `a new model's list gets back whom a deletion took out that stays after all`() throws {
    let (k, permit) = (try shelf("k"), Permit(1))
    k.title = permit
    try context.save()
    let new = Shelf("new")
    context.insert(new)
    new.archived = [permit]
    context.delete(try shelf("A"))
    #expect(permit.isDeleted && new.archived.isEmpty)
    try moveElsewhere(byProgram: true)
    _ = try context.fetch(FetchDescriptor<Shelf>())
    #expect(!permit.isDeleted && permit.archive === new && new.archived == [permit])
    try context.save()
    #expect(try shelf("new", ModelContext(container)).archived.map(\.number) == [1])
  }

  @Test func `a draft with a list in another order follows what other programs write`() throws {
    let b = try shelf("B")
    b.children = [Shelf("x"), Shelf("y")]
    try context.save()
    let draft = ModelContext(draftOf: context)
    let copy = try shelf("B", draft)
    copy.children = copy.children.reversed()
    try elsewhere("UPDATE Shelf SET parent = (SELECT _pk FROM Shelf WHERE name = 'A') WHERE name = 'x'")
    _ = try draft.fetch(FetchDescriptor<Shelf>())
    #expect(copy.children.map(\.name) == ["y"])
    #expect(try shelf("x", draft).parent?.name == "A")
  }

  @Test func `a draft takes back a partner that its parent has given to another`() throws {
    let (a, sticker) = (try shelf("A"), Sticker(1))
    a.sticker = sticker
    try context.save()
    let draft = ModelContext(draftOf: context)
    try shelf("B", draft).sticker = try shelf("A", draft).sticker
    try draft.save()
    try shelf("A", draft).sticker = try shelf("B", draft).sticker
    try moveElsewhere(byProgram: true)
    _ = try draft.fetch(FetchDescriptor<Shelf>())
    #expect(try shelf("B", draft).sticker == nil)
    #expect(try shelf("A", draft).sticker?.shelf === shelf("A", draft))
    try draft.save()
    try context.save()
    #expect(try shelf("A", ModelContext(container)).sticker?.number == 1)
  }

  @Test func `an undone link gives back the partner that others had linked meanwhile`() throws {
    let (a, mine, theirs) = (try shelf("A"), Sticker(1), Sticker(2))
    context.insert(mine)
    context.insert(theirs)
    try context.save()
    let undo = UndoManager()
    context.undoManager = undo
    a.sticker = mine
    let other = ModelContext(container)
    try shelf("A", other).sticker = try other.fetch(
      FetchDescriptor<Sticker>(predicate: #Predicate { $0.number == 2 })
    ).first
    try other.save()
    _ = try context.fetch(FetchDescriptor<Shelf>())
    #expect(a.sticker === mine && theirs.shelf == nil)
    undo.undo()
    #expect(a.sticker === theirs && theirs.shelf === a && mine.shelf == nil && !context.hasChanges)
  }

  @Test func `a deletion that is taken back hides no longer what other programs do to the row`() throws {
    let b = try shelf("B")
    context.delete(b)
    #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 2)
    context.insert(b)
    #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 3)
    #expect(!context.hasChanges)
    try elsewhere("DELETE FROM Shelf WHERE name = 'B'")
    #expect(try context.fetch(FetchDescriptor<Shelf>()).map(\.name).sorted() == ["A", "k"])
  }

  @Test func `a deletion is that of the row by the time of the save, which another program has put elsewhere`() throws {
    let (k, b) = (try shelf("k"), try shelf("B"))
    context.delete(k)
    try elsewhere("DELETE FROM Shelf WHERE name = 'k'")
    _ = try context.fetch(FetchDescriptor<Shelf>())
    try elsewhere("INSERT INTO Shelf (name, parent) SELECT 'new', _pk FROM Shelf WHERE name = 'B'")
    _ = try context.fetch(FetchDescriptor<Shelf>())
    #expect(b.children.isEmpty)
    try context.save()
    #expect(b.children.isEmpty && b.children.map(\.name) == [])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Shelf>()) == 2)
  }

  @Test func `undoing edits of a partner out of order leaves nobody with a partner that has another`() throws {
    let (a, b, mine, theirs) = (try shelf("A"), try shelf("B"), Sticker(1), Sticker(2))
    a.sticker = mine
    b.sticker = theirs
    try context.save()
    let undo = UndoManager()
    context.undoManager = undo
    context.delete(b)
    try context.save()
    theirs.shelf = a
    undo.undoNestedGroup()
    _ = try context.fetch(FetchDescriptor<Shelf>())
    for shelf in [a, b] { if let sticker = shelf.sticker { #expect(sticker.shelf === shelf) } }
    for sticker in [mine, theirs] { if let shelf = sticker.shelf { #expect(shelf.sticker === sticker) } }
  }
}
