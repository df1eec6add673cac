package import RoostEngine

/// The tables that history is in.
///
/// What a program changes by Roost is noted by ``HistoryCapture``, in the row of its transaction. What others
/// change is noted by triggers, a row for each change: they call nothing but SQLite's own functions, so that the
/// `sqlite3` shell and other libraries run them too. What they changed since the last transaction is one of its
/// own, noted by whoever looks or writes next.
package enum HistoryTables {
  /// What became of a row.
  package enum Kind: Int64 {
    case inserted = 1
    case updated = 2
    case deleted = 3
  }

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

  /// Whether the tables are as ``create(_:)`` makes them. Another program may have dropped or altered some.
  static func areIntact(in connection: Connection) throws -> Bool {
    let statement = try connection.statement("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
    defer { statement.reset() }
    var tables: [String: String] = [:]
    while try statement.step() { tables[statement.string(0)] = statement.string(1) }
    return definitions.allSatisfy { tables[$0.name] == $0.sql }
  }

  /// Makes the tables, anew where they are not intact: what they said is gone, and all places in it have expired.
  ///
  /// `floor` is the number of the last transaction that is known to have been deleted; nil for a file without history.
  static func create(_ connection: Connection, after floor: String?) throws {
    // Whoever dropped the table has not said how far its numbers went.
    let last = (try? lastNumber(connection)) ?? nil
    for definition in definitions {
      try connection.execute("DROP TABLE IF EXISTS \(definition.name); \(definition.sql)")
    }
    guard last != nil || floor != nil else { return }
    let deleted = floor.flatMap { Int64($0) } ?? 0
    try interrupt(connection, after: max(last ?? min(deleted, .max / 2) + 1 << 20, deleted))
  }

  /// Has all places up to now expire: there were changes that nobody noted.
  static func interrupt(_ connection: Connection) throws {
    if let last = try lastNumber(connection) { try interrupt(connection, after: last) }
  }

  private static func interrupt(_ connection: Connection, after last: Int64) throws {
    let statement = try connection.statement(
      """
      INSERT INTO _roost_transaction (id, time, first_change, last_change, kind) \
      SELECT ?, 0, min(former, 9223372036854775806) + 1, former, \(TransactionKind.deleted.rawValue) FROM (SELECT \
      ifnull((SELECT last_change FROM _roost_transaction ORDER BY id DESC LIMIT 1), 0) AS former)
      """)
    // Numbers are the file's, and may be any.
    let number = min(last, .max - 1) + 1
    statement.bind(number, at: 1)
    try statement.run()
    try StoreCatalog(connection).set(.historyFloor, "\(number)")
  }

  /// The number of the last transaction; nil if there is none.
  package static func lastNumber(_ connection: Connection) throws -> Int64? {
    let statement = try connection.statement("SELECT max(id) FROM _roost_transaction")
    defer { statement.reset() }
    return try statement.step() && !statement.isNull(0) ? statement.int64(0) : nil
  }

  /// `migration` has the versions of a migration. `last_change` is the number of the last change of a transaction
  /// that a trigger noted, `first_change` that of its first; `changes` are those that the program noted itself,
  /// which come before. Of a change, `fields` are the properties that changed, and `old` is what they were, or what
  /// is kept of a row that was deleted.
  private static let definitions = [
    (
      name: "_roost_transaction",
      sql: """
      CREATE TABLE _roost_transaction (id INTEGER PRIMARY KEY, time REAL NOT NULL, first_change INTEGER NOT NULL, \
      last_change INTEGER NOT NULL, author TEXT, context TEXT, bundle TEXT, process TEXT, \
      kind INTEGER NOT NULL DEFAULT 0, changes BLOB, migration TEXT) STRICT
      """
    ),
    (
      name: "_roost_change",
      sql: """
      CREATE TABLE _roost_change (id INTEGER PRIMARY KEY, entity INTEGER NOT NULL, kind INTEGER NOT NULL, \
      key INTEGER NOT NULL, fields ANY, old TEXT) STRICT
      """
    ),
    (
      name: "_roost_field",
      sql: """
      CREATE TABLE _roost_field (entity TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, \
      PRIMARY KEY (entity, name)) STRICT
      """
    ),
    (name: HistoryReplacements.tableName, sql: HistoryReplacements.table),
  ]
}
