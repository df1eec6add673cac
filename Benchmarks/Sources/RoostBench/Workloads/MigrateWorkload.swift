import CBenchmarkSQLite
import Foundation
import GRDB

/// 1,000,000 rows that come to another schema: a new table is filled from the old one and takes its place.
enum MigrateWorkload: String, CaseIterable {
  /// A text that may not be nil any more, with a default: what Roost infers.
  case rebuild = "migrate-rebuild-1M"
  /// A number that becomes a text, by a closure of the program's.
  case transform = "migrate-transform-1M"

  static let count = 1_000_000

  /// The tables as Roost makes them.
  static let schema = """
    CREATE TABLE Entry (
      _pk INTEGER PRIMARY KEY, title TEXT NOT NULL, number INTEGER NOT NULL, note TEXT
    ) STRICT
    """

  /// The new table's columns, and what of an old row is in them.
  private var columns: (definition: String, values: String) {
    switch self {
    case .rebuild: ("number INTEGER NOT NULL, note TEXT NOT NULL", "number, ifnull(note, 'none')")
    case .transform: ("number TEXT NOT NULL, note TEXT", "CAST(number AS TEXT), note")
    }
  }

  private var statements: String {
    """
    BEGIN IMMEDIATE;
    CREATE TABLE new (_pk INTEGER PRIMARY KEY, title TEXT NOT NULL, \(columns.definition)) STRICT;
    INSERT INTO new SELECT _pk, title, \(columns.values) FROM Entry;
    DROP TABLE Entry;
    ALTER TABLE new RENAME TO Entry;
    COMMIT
    """
  }

  var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
      variants.append(Variant("roost, backup first", roostWithBackup))
    #endif
    return Workload(name: rawValue, variants: variants)
  }

  /// A statement that puts the same rows into any variant's table.
  static var insertion: String {
    """
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
    INSERT INTO Entry (_pk, title, number, note)
    SELECT n, 'a title of some 24 bytes, ' || n, n, iif(n % 2, 'a note on it', NULL) FROM number
    """
  }

  private func sqliteTuned(in folder: URL) throws -> Round {
    try round(folder, "sqlite") { file in try Database(file, tuned: true).execute(statements) }
  }

  private func grdb(in folder: URL) throws -> Round {
    try round(folder, "grdb") { file in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("new") { database in
        let statements = statements.split(separator: ";").dropFirst().dropLast().joined(separator: ";")
        try database.execute(sql: statements)
      }
      try migrator.migrate(DatabaseQueue.open(file))
    }
  }

  private func round(_ folder: URL, _ name: String, _ migrate: @escaping (URL) throws -> Void) throws -> Round {
    let old = folder.appending(path: "\(rawValue)-\(name)-old.db")
    let database = try Database(old, tuned: false)
    try database.execute(Self.schema)
    try database.execute(Self.insertion)
    return round(from: old, migrate)
  }

  /// Migrates a copy of a file in each round.
  func round(from old: URL, _ migrate: @escaping (URL) throws -> Void) -> Round {
    let file = old.deletingPathExtension().appendingPathExtension("copy")
    return {
      let folder = file.deletingLastPathComponent()
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasPrefix(file.lastPathComponent) {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
      try FileManager.default.copyItem(at: old, to: file)
      return try timed {
        try migrate(file)
      } check: {
        try check(file)
      }
    }
  }

  private func check(_ file: URL) throws {
    let database = try Database(file, tuned: true)
    let statement = try database.prepare("SELECT count(*), sum(number), count(note), min(typeof(number)) FROM Entry")
    defer { sqlite3_finalize(statement) }
    try database.check(sqlite3_step(statement), expecting: SQLITE_ROW)
    let (rows, sum) = (Int(sqlite3_column_int64(statement, 0)), Int(sqlite3_column_int64(statement, 1)))
    let notes = Int(sqlite3_column_int64(statement, 2))
    let type = sqlite3_column_text(statement, 3).map { String(cString: $0) }
    let expected = self == .rebuild ? (Self.count, "integer") : (Self.count / 2, "text")
    guard rows == Self.count, sum == Self.count * (Self.count + 1) / 2, notes == expected.0, type == expected.1 else {
      throw BenchmarkError("\(rawValue): \(rows) rows, sum \(sum), \(notes) notes, \(type ?? "no") numbers")
    }
  }
}
