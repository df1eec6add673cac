import RoostCore
import RoostEngine
import RoostSQL

/// The backfills that a file waits for, with what makes them invisible to whoever reads.
struct Backfills: Backfilling {
  private static let rowsAtOnce = 500

  private let backfills: [Backfill]
  /// What reads the tables concerned, by their names.
  private let views: [String: String]

  /// - Parameters:
  ///   - notes: what the file has begun.
  ///   - plan: whose stages compute it.
  ///   - schema: what the file has now.
  /// - Throws: `SwiftDataError.unknownSchema` when no stage does, and rows wait for it.
  init?(_ notes: [Backfill.Note], _ plan: (any SchemaMigrationPlan.Type)?, _ schema: SchemaInfo) throws {
    if notes.isEmpty { return nil }
    let known = try plan?.stages.flatMap { try $0.backfills() } ?? []
    backfills = try notes.compactMap { note in
      if let backfill = known.first(where: { $0.name == note.name }) { return backfill }
      if !note.hasRows { return nil }
      throw SwiftDataError(
        .unknownSchema, "Rows of the store still wait for \(note.name), which no stage of the program's plan computes.",
        remedy: "Open it with the plan whose stage has .backfill for it, until its container's pendingBackfills is 0.")
    }
    if backfills.isEmpty { return nil }
    views = Dictionary(
      Dictionary(grouping: backfills, by: \.table).compactMap { table, own in
        schema.entities.first { $0.superentity == nil && $0.table == table }.map { (table, Self.select($0, own)) }
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func select(_ root: EntityInfo, _ backfills: [Backfill]) -> String {
    let row = "stored"
    let columns = TableDefinitions.table(for: root).columns.map { column in
      guard let backfill = backfills.first(where: { $0.column == column.name }) else {
        return SQLResultColumn(.column(row, column.name), as: column.name)
      }
      // A lookup for each row that is read. IN would collect all keys for each query.
      var own = backfill.keys
      own.restrict(.binary(.equal, .column("key"), .column(row, primaryKeyColumn)))
      let isPending = SQLExpression.exists(own)
      let value = SQLExpression.conditional(
        [SQLBranch(when: isPending, then: backfill.value(of: row))], otherwise: .column(row, column.name))
      return SQLResultColumn(value, as: column.name)
    }
    // Within a view of the same name, only the file's own table is meant.
    return SQLitePrinter.template(SQLSelect(columns)) + " FROM main.\(quotedIdentifier(root.table)) AS \(row)"
  }

  func source(of table: String) -> String? { views[table].map { "(\($0))" } }

  // MARK: - Connections

  func addFunction(to connection: Connection) {
    let byName = Dictionary(backfills.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let tellsValues = connection.options.reportsArguments
    connection.addFunction(SQLFunction.backfill.name, arguments: -1, isDeterministic: false) { arguments in
      try byName[arguments.string(0)]?.run(arguments, tellsValues) ?? .null
    }
  }

  func addViews(to connection: Connection) throws {
    for (table, select) in views {
      let name = quotedIdentifier(table)
      try connection.execute("DROP VIEW IF EXISTS temp.\(name); CREATE TEMP VIEW \(name) AS \(select)")
    }
  }

  // MARK: - Rows

  func complete(_ keys: [Int64], of table: String, _ connection: Connection) throws {
    for backfill in backfills where backfill.table == table { try backfill.complete(connection, keys: keys) }
  }

  func completeAll(_ connection: Connection) throws {
    for backfill in backfills { try backfill.complete(connection) }
  }

  func completeNext(_ connection: Connection, _ schemaGuard: SchemaGuard) throws -> Bool {
    try connection.transaction(.immediate) {
      for backfill in backfills where try backfill.completeNext(Self.rowsAtOnce, connection) { return true }
      if try Backfill.notes(connection).isEmpty { return false }
      for backfill in backfills { try backfill.end(connection) }
      try schemaGuard.accept(connection)
      return false
    }
  }

  /// Ends them all, within a transaction: the tables are about to become others.
  func finish(_ connection: Connection) throws {
    addFunction(to: connection)
    try completeAll(connection)
    for backfill in backfills { try backfill.end(connection) }
  }

  func count(_ connection: Connection) throws -> Int {
    try connection.strings("SELECT count(*) FROM \(Backfill.table)").first.flatMap { Int($0) } ?? 0
  }
}

extension MigrationStage {
  /// What the stage leaves to be computed.
  func backfills() throws -> [Backfill] {
    let computations = steps.compactMap { step -> Computation? in
      if case .backfill(let computation) = step.action { computation } else { nil }
    }
    if computations.isEmpty { return [] }
    let schema = try Schema(versionedSchema: to).info()
    return try computations.map { try Backfill($0, of: schema, version: to.versionIdentifier) }
  }
}
