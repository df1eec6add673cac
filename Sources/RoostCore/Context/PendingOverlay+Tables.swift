import RoostEngine
import RoostSQL

// The temporary tables, and the views that put them in the place of the tables.
extension PendingOverlay {
  static func rows(_ table: String) -> String { "_roost_pending_" + table }
  package static func gone(_ table: String) -> String { "_roost_gone_" + table }

  /// Makes the temporary tables of one table, and the view that puts them in its place.
  func prepare(_ table: String, columns: [String], key: [String]) throws {
    guard tables[table] == nil else { return }
    let view = View(columns: columns, key: key)
    tables[table] = view
    let (own, rows, gone) = (
      quotedIdentifier(table), quotedIdentifier(Self.rows(table)), quotedIdentifier(Self.gone(table))
    )
    unindexed[table] = 0
    try connection.execute(
      """
      CREATE TEMP TABLE \(gone) (\(view.keyDefinitions));
      CREATE TEMP TABLE \(rows) AS SELECT \(view.columns) FROM main.\(own) WHERE 0;
      CREATE UNIQUE INDEX temp.\(quotedIdentifier(Self.rows(table) + "_key")) ON \(rows) (\(view.keys));
      """)
    if !store.pool.isShared { try connection.execute(view.definition(table, source(of: table))) }
    for index in fullTextIndexes(table) {
      for object in SQLitePrinter.print(index.syntax(temporaryTable: Self.rows(table))) {
        try connection.execute(object.sql)
      }
    }
  }

  /// Counts a row that is shown, and has the table's indexes made once it is worth it.
  func noteShown(_ root: EntityInfo) throws {
    guard let count = unindexed[root.table] else { return }
    unindexed[root.table] = count < Self.unindexedRows ? count + 1 : nil
    if count < Self.unindexedRows { return }
    for var index in TableDefinitions.indexes(for: root) where index.filter == nil {
      index.table = Self.rows(root.table)
      // A name of its own: in a migration, whose connection has all, the table's index would be taken for this one.
      index.name = Self.rows(index.name)
      index.isUnique = false
      try connection.execute(SQLitePrinter.print(index).sql)
    }
  }

  /// So few rows are looked through as soon as an index is made.
  private static let unindexedRows = 32

  func dropTables() throws {
    for table in tables.keys {
      for index in fullTextIndexes(table) {
        try connection.execute("DROP TABLE IF EXISTS temp.\(quotedIdentifier(index.pendingName))")
      }
      try connection.execute(
        """
        DROP VIEW IF EXISTS temp.\(quotedIdentifier(table));
        DROP TABLE IF EXISTS temp.\(quotedIdentifier(Self.rows(table)));
        DROP TABLE IF EXISTS temp.\(quotedIdentifier(Self.gone(table)));
        """)
    }
    (tables, joinTables, unindexed) = ([:], [], [:])
    try store.backfills?.addViews(to: connection)
  }

  private func fullTextIndexes(_ table: String) -> [FullTextIndex] {
    store.schema.fullTextIndexes.filter { $0.table == table }
  }

  /// What stands in the place of a table.
  struct View {
    let columns: String
    let keys: String
    /// The keys as columns of whole numbers, so that SQLite looks them up in place of copying them for each query.
    let keyDefinitions: String

    init(columns: [String], key: [String]) {
      self.columns = columns.map(quotedIdentifier).joined(separator: ", ")
      keys = key.map(quotedIdentifier).joined(separator: ", ")
      keyDefinitions =
        key.count == 1
        ? "\(keys) INTEGER PRIMARY KEY"
        : key.map { quotedIdentifier($0) + " INTEGER NOT NULL, " }.joined() + "PRIMARY KEY (\(keys))"
    }

    /// Puts it in the place of a table, whose stored rows are in `source`.
    func definition(_ table: String, _ source: String) -> String {
      """
      \(Self.drop(table));
      CREATE TEMP VIEW \(quotedIdentifier(table)) AS
        SELECT \(columns) FROM \(source)
        WHERE (\(keys)) NOT IN (SELECT \(keys) FROM temp.\(quotedIdentifier(PendingOverlay.gone(table))))
        UNION ALL SELECT \(columns) FROM temp.\(quotedIdentifier(PendingOverlay.rows(table)));
      """
    }

    static func drop(_ table: String) -> String { "DROP VIEW IF EXISTS temp.\(quotedIdentifier(table))" }
  }
}
