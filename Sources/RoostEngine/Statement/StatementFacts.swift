/// What a statement would do, and what its rows have, known without running it.
package struct StatementFacts: Sendable {
  /// Something that a statement does, what its views, triggers and foreign keys do included.
  package enum Access: Sendable, Hashable {
    case reads(table: String)
    case writes(table: String, trigger: String? = nil)
    /// Drops or alters a table.
    case redefines(table: String)
    /// Makes or drops anything else, or makes a table.
    case changesSchema
    /// Makes or drops what is gone with the connection.
    case changesTemporarySchema
    /// Begins or ends a transaction or a savepoint.
    case controlsTransaction
    /// Attaches or detaches a database.
    case changesDatabases
    /// Asks or sets something of the connection.
    case pragma(name: String, argument: String?)
  }

  package var accesses: Set<Access> = []
  /// Whether it leaves the database as it is.
  package var isReadOnly = true
  /// The names of the columns of its rows; empty if it returns none.
  package var columns: [String] = []

  package var readTables: Set<String> {
    Set(accesses.compactMap { if case .reads(let table) = $0 { table } else { nil } })
  }

  package var writtenTables: Set<String> {
    Set(accesses.compactMap { if case .writes(let table, _) = $0 { table } else { nil } })
  }
}
