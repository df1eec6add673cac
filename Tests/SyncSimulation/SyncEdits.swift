import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSync
import TestSupport

/// What the users of a device do, by all ways that there are. No value of a title, price, mark or line is written twice.
struct SyncEdits {
  var random: SeededRandom
  private var counter = 0

  init(random: SeededRandom) { self.random = random }

  mutating func next() -> Int {
    counter += 1
    return counter
  }

  mutating func edit(_ machine: Machine) throws {
    switch random.below(20) {
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
    default: try models(machine.context, machine)
    }
  }

  /// Runs a bulk write.
  private func update(_ machine: Machine, _ limit: Int) throws {
    if machine.version == LibraryV2.self {
      try machine.context.update(
        model: LibraryV2.Book.self, where: #Predicate { $0.loans > limit }, set: \.loans += 2)
    } else {
      try machine.context.update(model: Book.self, where: #Predicate { $0.loans > limit }, set: \.loans += 2)
    }
  }

  private mutating func models(_ context: ModelContext, _ machine: Machine) throws {
    context.autosaveEnabled = false
    for _ in 0..<1 + random.below(3) {
      if machine.version == LibraryV2.self { try editLater(context) } else { try edit(context) }
    }
    do {
      try context.save()
    } catch {
      // Such as a deletion that a copy forbids, or a full disk.
      context.rollback()
    }
  }

  /// SQL by the program itself.
  private mutating func sql(_ machine: Machine) throws {
    let title = "s\(next())-"
    try machine.context.execute(sql: "UPDATE Book SET title = \(title) || code, loans = loans + 1 WHERE _pk % 3 = 1")
  }

  /// The sqlite3 shell.
  private mutating func shell(_ machine: Machine) throws {
    let connection = try Connection(ConnectionOptions(location: .file(path: machine.url.path)))
    defer { connection.close() }
    try connection.execute("PRAGMA foreign_keys = ON")
    switch random.below(4) {
    case 0: try connection.execute("INSERT INTO Topic (name, notes) VALUES ('n\(next())', '')")
    case 1: try connection.execute("UPDATE Book SET loans = loans + 3 WHERE _pk = (SELECT max(_pk) FROM Book)")
    case 2: try connection.execute("DELETE FROM Copy WHERE _pk = (SELECT max(_pk) FROM Copy)")
    // A copy may forbid that a book goes with its author.
    default:
      try? connection.execute(
        "INSERT OR REPLACE INTO Author (name, born) VALUES ('a\(random.below(6))', \(random.below(2_000)))")
    }
  }
}
