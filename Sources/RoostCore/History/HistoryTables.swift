package import RoostEngine

/// The tables that history is in.
///
/// Triggers note each change of a row, whoever makes it: they call nothing but SQLite's own functions, so that the
/// `sqlite3` shell and other libraries run them too. A transaction has a range of changes. What other programs changed
/// since the last transaction is one of its own, noted by whoever looks or writes next.
package enum HistoryTables {
  /// What became of a row.
  package enum Kind: Int64 {
    case inserted = 1
    case updated = 2
    case deleted = 3
  }

  /// The most rows of one change: what is read is counted by this many.
  package static let largestRange: Int64 = 1 << 20

  /// What a transaction is.
  package enum TransactionKind: Int64 {
    case changes = 0
    /// One that was deleted, and is there for its number alone.
    case deleted = 1
  }

  /// Whether a file has ever recorded any.
  package static func exist(in connection: Connection) throws -> Bool {
    let names = "SELECT name FROM sqlite_schema WHERE name = '_roost_transaction'"
    return try connection.untraced { try !connection.strings(names).isEmpty }
  }

  /// `last_change` is the number of the last change of a transaction, `first_change` that of its first. A change is of the
  /// rows from `first` to `last`, which only inserts have several of; `fields` are the properties that changed, and `old`
  /// is what they were, or what is kept of a row that was deleted.
  static func create(_ connection: Connection) throws {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS _roost_transaction (
        id INTEGER PRIMARY KEY, time REAL NOT NULL, first_change INTEGER NOT NULL, last_change INTEGER NOT NULL,
        author TEXT, context TEXT, bundle TEXT, process TEXT, kind INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE IF NOT EXISTS _roost_change (
        id INTEGER PRIMARY KEY, entity INTEGER NOT NULL, kind INTEGER NOT NULL, first INTEGER NOT NULL,
        last INTEGER NOT NULL, fields ANY, old TEXT
      ) STRICT;
      CREATE TABLE IF NOT EXISTS _roost_field (
        entity TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (entity, name)
      ) STRICT;
      """)
  }
}
