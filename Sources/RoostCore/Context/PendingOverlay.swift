package import RoostEngine
import RoostSQL
import Synchronization

/// A connection on which queries see a context's pending changes: temporary views of the tables' own names.
///
/// SQLite looks a name up among the temporary ones first, so the very same SQL, whatever it joins or counts, reads
/// stored rows without those that changed, and the changed and new rows instead. Nothing is locked and nothing reaches
/// the file. Source: [SQLite, name resolution](https://www.sqlite.org/lang_naming.html).
///
/// In a migration all contexts read and write on one connection. There the views are up only while this context's
/// queries run: whoever writes, and other contexts, find the tables.
package final class PendingOverlay {
  let store: Store
  let connection: Connection
  /// The tables whose changed rows are in temporary ones, with the columns of the views.
  var tables: [String: View] = [:]
  /// Those of them that hold join rows.
  var joinTables: Set<String> = []
  /// How many changes of each context are shown.
  private var versions: [Int] = []
  /// The last save whose values the rows shown have in what did not change here; -1 for none.
  private var generation = -1
  /// How many rows each table has been shown, until it has indexes.
  var unindexed: [String: Int] = [:]
  /// The text that inserts a row of an entity into its temporary table, by the entity's place in the schema.
  private var insertions: [Int: String] = [:]
  /// The keys less than 1 that tables have in the store, as far as the running query asked.
  var storedKeys: [String: Set<Int64>] = [:]
  /// None: a model without a row shows with its temporary key.
  private let keys = PermanentKeys()

  init(store: Store) throws {
    self.store = store
    connection = try store.pool.checkout()
    try store.backfills?.addViews(to: connection)
  }

  /// Drops what is temporary and gives the connection back.
  func close() {
    // What is temporary in a connection that was closed has gone with it.
    try? store.pool.use(connection) { try dropTables() }
    tables = [:]
    store.pool.checkin(connection)
  }

  /// Drops what contexts of a migration have left on its connection.
  package static func clear(_ connection: Connection) {
    (connection.guest as? PendingOverlay)?.leave()
    connection.guest = nil
  }

  /// Drops all that is shown; the next query shows it anew.
  private func leave() {
    try? dropTables()
    (tables, joinTables, unindexed, versions, generation) = ([:], [], [:], [], -1)
  }

  /// Gives `body` the connection, on which the pending changes of a context are shown, over those of its parents.
  package func read<Result>(_ layers: [ContextCore], _ body: (Connection) throws -> Result) throws -> Result {
    // Another thread may close the container at any time, but not in the middle of this.
    try store.pool.use(connection) {
      if store.pool.isShared, connection.guest !== self {
        Self.clear(connection)
        connection.guest = self
      }
      do {
        try update(layers)
      } catch {
        // Its transaction has taken tables back that count as made.
        leave()
        throw error
      }
      storedKeys = [:]
      guard store.pool.isShared else { return try body(connection) }
      defer { for table in tables.keys { try? connection.execute(View.drop(table)) } }
      for (table, view) in tables { try connection.execute(view.definition(table, source(of: table))) }
      return try body(connection)
    }
  }

  /// Shows the pending changes that were not shown yet.
  private func update(_ layers: [ContextCore]) throws {
    let current = layers.map(\.pending.version)
    let saves = store.generation.load(ordering: .acquiring)
    let isOld = saves != generation
    guard versions != current || isOld else { return }
    if layers.count > 1 {
      try connection.transaction(.deferred) { try showAll(layers) }
    } else if let pending = layers.first?.pending {
      let changed = pending.takeUnshown()
      let unshown = isOld ? nil : changed
      try connection.transaction(.deferred) {
        for model in unshown?.models ?? pending.all { try show(model) }
        if let rows = unshown?.joinRows { try show(rows, of: pending) } else { try show(pending.joinRows) }
      }
    }
    versions = current
    generation = saves
  }

  /// From nothing, as either context may have changed anything.
  private func showAll(_ layers: [ContextCore]) throws {
    try dropTables()
    var joinRows: [JoinRow: Bool] = [:]
    for (depth, layer) in layers.enumerated() {
      let pending = layer.pending
      for model in pending.insertedModels + pending.changedModels + pending.deletedModels {
        try show(model, overParent: depth > 0)
      }
      joinRows.merge(pending.joinRows) { _, last in last }
    }
    try show(joinRows)
  }

  /// `overParent`: whether what is shown of the row already is its parent's, to be changed.
  private func show(_ model: any PersistentModel, overParent: Bool = false) throws {
    let state = (flags: model._$state.flags, key: model._$state.key, changed: model._$state.changed)
    let entity = store.schema.entities[model._$state.ordinal]
    let columns = store.statements(entity.root).columns
    try prepare(entity.table, columns: columns, key: [primaryKeyColumn])
    let (rows, names) = (
      quotedIdentifier(Self.rows(entity.table)), columns.map(quotedIdentifier).joined(separator: ", ")
    )
    if !overParent || !state.flags.isDisjoint(with: [.inserted, .deleted]) {
      try run("DELETE FROM temp.\(rows) WHERE \(primaryKeyColumn) = ?", [state.key])
    }
    // What the parent deletes there is nothing to change of.
    let gone = quotedIdentifier(Self.gone(entity.table))
    let isThere = overParent ? "AND \(primaryKeyColumn) NOT IN (SELECT * FROM temp.\(gone))" : ""
    func hideStored() throws {
      if state.key > 0 { try run("INSERT OR IGNORE INTO temp.\(gone) VALUES (?)", [state.key]) }
    }
    if state.flags.contains(.deleted) { return try hideStored() }
    // Nothing is pending of it any more: it is as the store has it.
    if !state.flags.contains(.inserted) && state.changed.isEmpty {
      return overParent ? () : try run("DELETE FROM temp.\(gone) WHERE \(primaryKeyColumn) = ?", [state.key])
    }
    if state.flags.contains(.inserted) {
      try hideStored()
      let statement = try connection.statement(insertion(of: entity))
      statement.bind(state.key, at: 1)
      try bind(model, to: statement, first: 2, nil)
      try statement.run()
      try noteShown(entity.root)
    } else {
      try run(
        """
        INSERT OR IGNORE INTO temp.\(rows) (\(names)) SELECT \(names) FROM \(source(of: entity.table)) \
        WHERE \(primaryKeyColumn) = ? \(isThere)
        """,
        [state.key])
      try hideStored()
      var changed = state.changed
      if let core = model._$state.core, core.parent == nil, core.mergePolicy == .ownObjectWins {
        changed.formUnion(store.schema.readAttributes(of: model))
      }
      guard let sql = EntityStatements.update(entity, table: Self.rows(entity.table), changed) else { return }
      let statement = try connection.statement(sql)
      let next = try bind(model, to: statement, first: 1, changed)
      statement.bind(state.key, at: next)
      try statement.run()
      try noteShown(entity.root)
    }
  }

  @discardableResult
  private func bind(
    _ model: any PersistentModel, to statement: Statement, first: Int32, _ properties: PropertySet?
  ) throws -> Int32 {
    let entity = store.schema.entities[model._$state.ordinal]
    var row = _RowWriter(
      statement, entity, firstParameter: first, properties: properties, keys: keys, external: .presence)
    model._$write(&row)
    // A required relationship that is nil is an error for a save; until then it is NULL.
    if let failure = row.failure, !(failure.error is RequiredRelationshipIsNil) {
      throw SwiftDataError.unwritable(failure.error, model, entity.properties[failure.index], of: entity)
    }
    return row.nextParameter
  }

  private func show(_ joinRows: [JoinRow: Bool]) throws {
    for row in joinRows.keys { try prepare(row) }
    // Also those of which nothing is pending any more.
    for table in joinTables {
      try connection.execute("DELETE FROM temp.\(quotedIdentifier(Self.rows(table)))")
      try connection.execute("DELETE FROM temp.\(quotedIdentifier(Self.gone(table)))")
    }
    for (row, isLinked) in joinRows { try show(row, isLinked) }
  }

  /// Shows some rows of join tables as they are by now.
  private func show(_ rows: Set<JoinRow>, of pending: PendingChanges) throws {
    for row in rows {
      try prepare(row)
      for table in [Self.rows(row.table), Self.gone(row.table)] {
        let (first, second) = (quotedIdentifier(row.columns.0), quotedIdentifier(row.columns.1))
        try run(
          "DELETE FROM temp.\(quotedIdentifier(table)) WHERE \(first) = ? AND \(second) = ?", [row.keys.0, row.keys.1])
      }
      if let isLinked = pending.allJoinRows[row] { try show(row, isLinked) }
    }
  }

  private func show(_ row: JoinRow, _ isLinked: Bool) throws {
    let keys = [row.keys.0, row.keys.1]
    try run("INSERT OR IGNORE INTO temp.\(quotedIdentifier(Self.gone(row.table))) VALUES (?, ?)", keys)
    if isLinked {
      try run("INSERT OR IGNORE INTO temp.\(quotedIdentifier(Self.rows(row.table))) VALUES (?, ?)", keys)
    }
  }

  private func prepare(_ row: JoinRow) throws {
    guard joinTables.insert(row.table).inserted else { return }
    try prepare(row.table, columns: [row.columns.0, row.columns.1], key: [row.columns.0, row.columns.1])
  }

  private func insertion(of entity: EntityInfo) -> String {
    if let known = insertions[entity.ordinal] { return known }
    let text = EntityStatements.insert(entity, into: Self.rows(entity.table))
    insertions[entity.ordinal] = text
    return text
  }

  private func run(_ sql: String, _ keys: [Int64]) throws {
    let statement = try connection.statement(sql)
    for (offset, key) in keys.enumerated() { statement.bind(key, at: Int32(offset + 1)) }
    try statement.run()
  }

  /// What is stored, as whoever reads should see it.
  func source(of table: String) -> String {
    store.backfills?.source(of: table) ?? "main.\(quotedIdentifier(table))"
  }

}

extension ContextCore {
  /// Whether there are unsaved rows of some tables, here or in a context above.
  package func hasPending(in tables: Set<String>) -> Bool {
    layers.contains { $0.pending.hasRows(in: tables) }
  }
}

extension ModelContext {
  /// What shows the pending changes, when they concern one of the tables a query reads.
  package func overlay(for tables: Set<String>) throws -> PendingOverlay? {
    let layers = core.layers
    guard overlay != nil || layers.contains(where: \.pending.hasChanges) else { return nil }
    guard core.hasPending(in: tables) || layers.contains(where: { $0.pending.hasJoinRows(in: tables) }) else {
      return nil
    }
    let overlay = try overlay ?? PendingOverlay(store: store)
    self.overlay = overlay
    return overlay
  }
}
