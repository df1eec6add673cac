package import RoostEngine
import RoostSQL
import Synchronization

extension Store {
  /// Says that the program is about to delete rows. Call it before you read what is to be
  /// written: who hears of it may write.
  package func willDelete() { beforeDeletion.withLock(\.self)?() }

  /// Whether anybody hears of ``willDelete()``.
  package var tellsOfDeletions: Bool { beforeDeletion.withLock { $0 != nil } }

  /// Deletes every row of every model.
  func erase() throws {
    try checkAllowsSave()
    ensureIndexes()
    willDelete()
    try SwiftDataError.translating(SwiftDataError.saving) {
      try pool.write { connection in
        let tables = schema.joinTables.map(\.name) + roots.map(\.table)
        // All rows go, and no reference is to be mended, unless other programs have tables that refer to
        // ours. It cannot be switched within a transaction; where there is one around this, it is a
        // migration's, which has switched them off.
        let isAlone = try connection.tablesWithReferences().isSubset(of: tables)
        if isAlone { try connection.execute("PRAGMA foreign_keys=0") }
        defer { if isAlone { try? connection.execute("PRAGMA foreign_keys=1") } }
        let writes = files.map { ExternalWrites($0, threshold: 0, mayRelease: true) }
        try transaction(connection, with: writes) {
          writes?.released = try files?.names() ?? []
          _ = try recording(by: HistoryAuthor(), isHeard: false, connection) {
            if !isAlone { try releaseRequired(of: roots, connection) }
            for table in tables {
              try connection.execute(SQLitePrinter.print(SQLDelete(from: table, where: nil)).sql)
            }
          }
        }
      }
    }
    announceAny()
  }

  private var roots: [EntityInfo] { schema.entities.filter { $0.superentity == nil } }

  /// Has rows that must refer to others refer to nobody until the commit: SQLite would set them to NULL, which it
  /// refuses. Where all rows go, so do those that go with others: SQLite follows a cascade through 1,000 rows at most.
  ///
  /// - Parameters:
  ///   - roots: the classes of the rows, all of which are to go in the transaction.
  ///   - keys: those of the rows that are to go; nil for all.
  ///   - connection: the one that deletes them.
  /// - Throws: what the database reports.
  package func releaseRequired(of roots: [EntityInfo], keys: [Int64]? = nil, _ connection: Connection) throws {
    try connection.execute("PRAGMA defer_foreign_keys=1")
    for root in roots {
      for property in schema.entities.filter({ $0.root === root }).flatMap(\.ownProperties) {
        guard let column = property.column.map({ quotedIdentifier($0) }), let relationship = property.relationship,
          let action = TableDefinitions.reference(relationship)?.onDelete,
          action == .setNull && !property.isOptional || action == .cascade && keys == nil
        else { continue }
        // No row has such a key, and each row another, as they may have to differ.
        let isMeant = keys == nil ? "" : " AND \(primaryKeyColumn) IN (SELECT value FROM json_each(?))"
        let statement = try connection.statement(
          """
          UPDATE \(quotedIdentifier(root.table)) SET \(column) = -\(primaryKeyColumn) \
          WHERE \(column) IS NOT NULL\(isMeant)
          """)
        if let keys { statement.bind(keys.jsonArray, at: 1) }
        try statement.run()
      }
    }
  }
}

extension Connection {
  /// The tables that have foreign keys.
  fileprivate func tablesWithReferences() throws -> Set<String> {
    Set(
      try strings(
        """
        SELECT DISTINCT listed.name FROM sqlite_schema AS listed, pragma_foreign_key_list(listed.name) \
        WHERE listed.type = 'table'
        """))
  }
}
