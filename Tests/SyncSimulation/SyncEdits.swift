import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import TestSupport

/// What the users of a device do, by all ways that there are. No value of a title, price, mark, line,
/// label or text is written twice.
struct SyncEdits {
  var random: SeededRandom
  /// Whether the last edit may have written what was there before, which a user otherwise never does.
  var isRewriting = false
  /// Whether the last edit may have deleted rows by themselves that would have gone with others.
  var deletesMany: Bool { boxesDeleted > 1 }
  /// How many boxes it deleted; 2 where it may have deleted rows of any model.
  var boxesDeleted = 0
  /// The books that were looked at last.
  var held: [any PersistentModel] = []
  /// Whether unique values go from row to row: in parts some of that may not come about.
  var passesNamesOn = true
  /// How many rows of each model are edited most: of few, users meet.
  private(set) var mostRows = 0
  private var counter = 0
  private var ways: Ways

  init(random: SeededRandom) {
    self.random = random
    ways = Ways(&self.random)
    mostRows = self.random.pick([1, 2, 6])
  }

  mutating func way(_ kind: Ways.Kind, of count: Int) -> Int { ways.next(kind, of: count, &random) }

  mutating func next() -> Int {
    counter += 1
    return counter
  }

  /// One that another author may have, or had until it was deleted.
  mutating func authorName() -> String { "a\(passesNamesOn ? random.below(6) : next())" }

  mutating func edit(_ machine: Machine) throws {
    (isRewriting, boxesDeleted) = (false, 0)
    switch way(.user, of: 30) {
    case 0: try sql(machine)
    case 1: try shell(machine)
    case 2:
      let limit = random.below(5)
      try update(machine, limit)
    case 3: try models(ModelContext(machine.container), machine)
    case 4:
      // Another program.
      let configuration = ModelConfiguration(url: machine.url)
      let container = try ModelContainer(for: Schema(versionedSchema: machine.version), configurations: configuration)
      try models(ModelContext(container), machine)
      try container.close()
    case 5: try deletion(machine)
    case 6: try draft(machine)
    case 7: try undo(machine)
    case 8: try copy(machine)
    case 9:
      guard random.once(in: 8) else { return }
      boxesDeleted = 2
      try machine.container.erase()
    // What it shows may be long gone.
    case 10, 11: try models(machine.other, machine)
    case 12, 13, 14: try editUnsaved(machine)
    default: try models(machine.context, machine)
    }
  }

  /// Makes rows for all devices to begin with.
  mutating func begin(_ machine: Machine) throws {
    if machine.isLater {
      for place in 0..<2 {
        let author = LibraryV2.Author("a\(place)")
        let books = (0..<2).map { _ in LibraryV2.Book("b\(next())", author: author) }
        let topic = LibraryV2.Topic("n\(next())")
        (topic.books, topic.expert) = (books, author)
        topic.pictures = [LibraryV2.Picture("p\(next())", PictureSize(width: place, height: nil))]
        machine.context.insert(topic)
        machine.context.insert(LibraryV2.Box("x\(next())"))
        if machine.version == LibraryV3.self {
          machine.context.insert(LibraryV3.Card("i\(next())"))
        } else {
          machine.context.insert(LibraryV2.Card("i\(next())"))
        }
      }
    } else {
      for place in 0..<2 {
        let author = Author("a\(place)")
        let books = (0..<2).map { _ in Book("b\(next())", author: author) }
        let topic = Topic("n\(next())")
        (topic.books, topic.expert) = (books, author)
        topic.pictures = [Picture("p\(next())", PictureSize(width: place, height: nil))]
        machine.context.insert(topic)
        machine.context.insert(LibraryV1.Box("x\(next())"))
        machine.context.insert(LibraryV1.Card("i\(next())"))
      }
    }
    try machine.context.save()
  }

  /// Runs a bulk write.
  private func update(_ machine: Machine, _ limit: Int) throws {
    if machine.isLater {
      try machine.context.update(
        model: LibraryV2.Book.self, where: #Predicate { $0.loans > limit }, set: \.loans += 2)
    } else {
      try machine.context.update(model: Book.self, where: #Predicate { $0.loans > limit }, set: \.loans += 2)
    }
  }

  /// Deletes all that a predicate says.
  private mutating func deletion(_ machine: Machine) throws {
    let (context, name) = (machine.context, "n\(next() / 2)")
    let shelf = "c\(random.below(4))"
    switch (random.below(4), machine.isLater) {
    case (3, let isLater):
      boxesDeleted = 2
      let first = "x\(next() / 2)"
      if isLater {
        try? context.delete(model: LibraryV2.Box.self, where: #Predicate { $0.name > first })
      } else {
        try? context.delete(model: LibraryV1.Box.self, where: #Predicate { $0.name > first })
      }
    // A review may forbid that one goes.
    case (0, false): try? context.delete(model: Topic.self, where: #Predicate { $0.name > name })
    case (0, true): try? context.delete(model: LibraryV2.Topic.self, where: #Predicate { $0.name > name })
    case (1, false): try context.delete(model: Copy.self, where: #Predicate { $0.shelf == shelf })
    case (1, true): try context.delete(model: LibraryV2.Copy.self, where: #Predicate { $0.shelf == shelf })
    case (_, false): try context.delete(model: Picture.self, where: #Predicate { $0.lowest < 990 })
    case (_, true): try context.delete(model: LibraryV2.Picture.self, where: #Predicate { $0.lowest < 990 })
    }
    try save(context)
  }

  /// Edits a draft, and saves it with what it is a draft of.
  private mutating func draft(_ machine: Machine) throws {
    try models(ModelContext(draftOf: machine.context), machine)
    try save(machine.context)
  }

  /// Takes back what was done since undo was turned on, or does it again, or turns it on.
  private mutating func undo(_ machine: Machine) throws {
    guard let manager = machine.context.undoManager else {
      machine.context.undoManager = UndoManager()
      return try models(machine.context, machine)
    }
    isRewriting = true
    // As an engine does after each save; or a row is there again before it looked.
    if random.once(in: 2) { try? machine.synced.noteChanges(now: machine.now) }
    for _ in 0..<1 + random.below(2) {
      if manager.canRedo, random.once(in: 3) { manager.redo() } else if manager.canUndo { manager.undo() }
    }
    try save(machine.context)
  }

  /// Copies a topic, with all that it refers to, or gives it what a copy has.
  private mutating func copy(_ machine: Machine) throws {
    func copy<Model: PersistentModel>(
      _ type: Model.Type, _ name: WritableKeyPath<ModelSnapshot<Model>, String>,
      _ label: WritableKeyPath<ModelSnapshot<Model>, String?>
    ) throws {
      guard let topic = try machine.context.fetch(FetchDescriptor<Model>()).first else { return }
      var snapshot = topic.snapshot()
      snapshot[keyPath: label] = "e\(next())"
      if random.once(in: 2) { return try topic.apply(snapshot) }
      snapshot[keyPath: name] = "n\(next())"
      try machine.context.insert(snapshot)
    }
    if machine.isLater {
      try copy(LibraryV2.Topic.self, \.name, \.label)
    } else {
      try copy(Topic.self, \.name, \.label)
    }
    try save(machine.context)
  }

  private mutating func models(_ context: ModelContext, _ machine: Machine) throws {
    context.autosaveEnabled = false
    func edit() throws {
      for _ in 0..<1 + random.below(3) {
        if machine.isLater { try editLater(context) } else { try self.edit(context) }
      }
    }
    if random.once(in: 8) {
      // As below, what cannot be saved is taken back.
      do { try context.transaction { try edit() } } catch { context.rollback() }
    } else {
      try edit()
    }
    // A draft's are gone with it.
    if context.parent == nil { machine.held = held }
    held = []
    try save(context)
  }

  private func save(_ context: ModelContext) throws {
    do {
      try context.save()
    } catch {
      // Such as a deletion that a copy forbids, or a full disk.
      context.rollback()
    }
  }

  /// SQL by the program itself.
  private mutating func sql(_ machine: Machine) throws {
    let (context, title) = (machine.context, "s\(next())-")
    switch way(.sql, of: 9) {
    case 7:
      boxesDeleted = 2
      _ = try? context.execute(sql: "DELETE FROM Box WHERE _pk % 3 = \(random.below(3))")
    case 8:
      try context.execute(
        sql: "UPDATE Box SET below = (SELECT min(_pk) FROM Box) WHERE _pk = (SELECT max(_pk) FROM Box)")
    case 4:
      // A new topic with the key of another one, which goes, but where a review forbids it.
      let name = "n\(next())"
      _ = try? context.execute(
        sql: "REPLACE INTO Topic (_pk, name, notes) SELECT _pk, \(name), '' FROM Topic ORDER BY _pk LIMIT 1")
    case 0: try context.execute(sql: "UPDATE Book SET author = (SELECT max(_pk) FROM Author) WHERE _pk % 4 = 1")
    case 1:
      try context.execute(sql: "DELETE FROM Picture WHERE _pk = (SELECT min(_pk) FROM Picture)")
    case 2:
      // All or nothing: a copy may forbid that a book goes.
      try? machine.container.withDatabase { database in
        try database.execute(sql: "INSERT INTO Topic (name, notes) VALUES (\(title), '')")
        try database.execute(sql: "DELETE FROM Author WHERE _pk = (SELECT min(_pk) FROM Author)")
      }
    case 3:
      let name = authorName()
      try context.execute(sql: "UPDATE OR IGNORE Author SET name = \(name) WHERE _pk = (SELECT max(_pk) FROM Author)")
    default:
      try context.execute(sql: "UPDATE Book SET title = \(title) || code, loans = loans + 1 WHERE _pk % 3 = 1")
    }
  }

  /// The sqlite3 shell.
  private mutating func shell(_ machine: Machine) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: machine.url.path)))
    defer { connection.close() }
    try connection.execute("PRAGMA foreign_keys = ON")
    switch way(.shell, of: 14) {
    case 13:
      try connection.execute(
        "UPDATE Card SET text = 'd\(next())-' || name, visits = visits + 1 WHERE _pk = (SELECT min(_pk) FROM Card)")
    case 10:
      boxesDeleted = 2
      try? connection.execute("DELETE FROM Box WHERE _pk > \(random.below(9))")
    case 11:
      try connection.execute(
        "UPDATE Box SET within = (SELECT min(_pk) FROM Box) WHERE _pk = (SELECT max(_pk) FROM Box)")
    case 12:
      try connection.execute(
        "INSERT OR REPLACE INTO Note (\(machine.noteColumns.name), number, count) "
          + "VALUES ('\(noteName())', \(random.below(3)), 0)"
      )
    case 8:
      try? connection.execute(
        "REPLACE INTO Topic (_pk, name, notes) SELECT _pk, 'n\(next())', '' FROM Topic ORDER BY _pk DESC LIMIT 1")
    case 0: try connection.execute("INSERT INTO Topic (name, notes) VALUES ('n\(next())', '')")
    case 1: try connection.execute("UPDATE Book SET loans = loans + 3 WHERE _pk = (SELECT max(_pk) FROM Book)")
    case 2: try connection.execute("DELETE FROM Copy WHERE _pk = (SELECT max(_pk) FROM Copy)")
    case 3: try? connection.execute("DELETE FROM Topic WHERE _pk = (SELECT min(_pk) FROM Topic)")
    case 4:
      try connection.execute(
        "UPDATE Book SET author = NULL, _author_position = NULL WHERE _pk = (SELECT min(_pk) FROM Book)")
    case 5:
      try connection.execute(
        "UPDATE OR REPLACE Copy SET shelf = 'c\(random.below(4))' WHERE _pk = (SELECT min(_pk) FROM Copy)")
    case 6:
      try connection.execute(
        "UPDATE Topic SET wider = (SELECT min(_pk) FROM Topic) WHERE _pk = (SELECT max(_pk) FROM Topic)")
    // A copy may forbid that a book goes with its author.
    case 7: try? connection.execute("DELETE FROM Author WHERE _pk = (SELECT max(_pk) FROM Author)")
    default:
      try? connection.execute(
        "INSERT OR REPLACE INTO Author (name, born) VALUES ('\(authorName())', \(random.below(2_000)))")
    }
  }
}
