import Foundation
import RoostEngine
import RoostSQL
import Synchronization

extension Store {
  /// Writes all changes in one transaction, or none.
  func save(_ changes: SaveChanges) throws -> SavedChanges {
    // The rows that refer to a deleted one are found by an index.
    if !changes.deleted.isEmpty { ensureIndexes() }
    for list in changes.lists where list.readsStore { ensureIndexes(of: [list.relationship.destination.table]) }
    return try SwiftDataError.translating(SwiftDataError.saving) {
      try pool.write { connection in
        let writes = writes(of: changes)
        var isCommitting = false
        defer { if isCommitting { observers.hasTold() } }
        var saved = try transaction(connection, with: writes) {
          // The writing context listens itself.
          let isHeard = observers.isAnybodyListening(but: true)
          var (saved, recorded) = try recording(by: changes.author, isHeard: isHeard, connection) {
            var writer = SaveWriter(changes, store: self, connection: connection, writes: writes)
            try writer.write()
            return writer.saved
          }
          saved.recorded = recorded
          // Its context tells of it, once it has taken the save over.
          observers.commits()
          isCommitting = true
          return saved
        }
        isCommitting = false
        if !saved.withoutIndexes.isEmpty { missingIndexes.withLock { $0.formUnion(saved.withoutIndexes) } }
        noteKeys(of: saved)
        connection.noteOwnCommit()
        saved.generation = generation.add(1, ordering: .acquiringAndReleasing).newValue
        return saved
      }
    }
  }
}

/// One save under way.
struct SaveWriter: ~Copyable {
  let changes: SaveChanges
  let store: Store
  let connection: Connection
  /// The files of this save; nil when it touches no rows that may have any.
  let writes: ExternalWrites?
  let external: ExternalValues
  var saved = SavedChanges()
  /// The keys handed out.
  var handedOut: [HandedOutKeys] = []
  /// What notes the rows; nil where nothing does, or triggers do.
  let capture: HistoryCapture?
  /// The last update: the next model has mostly the same changes.
  private let updates = Updates()
  /// Models whose relationships are written already.
  var linked: Set<ObjectIdentifier> = []

  init(_ changes: SaveChanges, store: Store, connection: Connection, writes: ExternalWrites?) {
    self.changes = changes
    self.store = store
    self.connection = connection
    self.writes = writes
    external = writes.map { .files(.passUnretained($0)) } ?? .inline
    capture = (connection.companion as? HistoryCapture).flatMap { $0.log.isLogging ? $0 : nil }
    saved.rows = changes.rows
    saved.isAlone = connection.isUnchanged
  }

  mutating func write() throws {
    try completeBackfills()
    try checkConflicts()
    try assignKeys()
    try deferIndexes()
    try moveThenDelete()
    try updateAll(changes.updated)
    try insertAll()
    if saved.rows.contains(where: \.isMerged) { try repoint(changes.updated) }
    try writeJoinRows(changes.joinRows)
    try releaseFormerPartners()
    for list in changes.lists { try writeOrder(of: list) }
    try checkReferences()
    try validateCounts()
    try storeLastKeys()
  }

  /// Rows that change have what was computed of their old values.
  private func completeBackfills() throws {
    guard let backfills = store.backfills else { return }
    let models = Dictionary(grouping: changes.updated) { store.schema.entities[$0._$state.ordinal].table }
    for (table, models) in models { try backfills.complete(models.map { $0._$state.key }, of: table, connection) }
  }

  private mutating func insertAll() throws {
    // A unique constraint can turn an insert into an update of a row with another key, so those go first: what refers
    // to them is then written with the final key. Among them those first whose rows others' constraints refer to.
    let isUnique = store.schema.isUnique
    let unique = saved.rows.indices.filter { isUnique[saved.rows[$0].ordinal] }
    if unique.isEmpty {
      for run in runs(of: Array(saved.rows.indices)) { try insert(run) }
      return
    }
    let ranks = Dictionary(grouping: unique) { store.schema.entities[saved.rows[$0].ordinal].uniquenessRank }
    for (_, indexes) in ranks.sorted(by: { $0.key < $1.key }) {
      for run in runs(of: indexes) { try insertUnique(run) }
    }
    if saved.rows.contains(where: \.isMerged) { try repointUnique() }
    for run in runs(of: saved.rows.indices.filter { !isUnique[saved.rows[$0].ordinal] }) { try insert(run) }
  }

  /// Splits rows where the entity changes.
  private func runs(of indexes: [Int]) -> [ArraySlice<Int>] {
    var runs: [ArraySlice<Int>] = []
    var start = indexes.startIndex
    while start < indexes.endIndex {
      let ordinal = saved.rows[indexes[start]].ordinal
      let end = indexes[start...].firstIndex { saved.rows[$0].ordinal != ordinal } ?? indexes.endIndex
      runs.append(indexes[start..<end])
      start = end
    }
    return runs
  }

  /// Inserts rows of one entity.
  mutating func insert(_ indexes: ArraySlice<Int>) throws {
    guard let first = indexes.first else { return }
    let entity = store.schema.entities[saved.rows[first].ordinal]
    let statement = try connection.statement(store.statements(entity).insert)
    var row = _RowWriter(statement, entity, firstParameter: 2, properties: nil, keys: saved.keys, external: external)
    let table = capture?.ownTable(of: entity, connection)
    for index in indexes {
      try bind(index, to: statement, &row, entity)
      do {
        if let table {
          try connection.runUntold(statement)
          capture?.log.didInsert(saved.rows[index].key, into: table)
        } else {
          try statement.run()
        }
      } catch {
        // Another program has used the key meanwhile: the model must have another.
        let isTaken = error.code == DatabaseError.constraintPrimaryKey && saved.rows[index].isRestored
        if isTaken { throw StaleRelationships() }
        throw error
      }
    }
  }

  /// Binds a row's key and values.
  mutating func bind(_ index: Int, to statement: Statement, _ row: inout _RowWriter, _ entity: EntityInfo) throws {
    statement.bind(saved.rows[index].key, at: 1)
    row.rewind()
    let model = changes.inserted[index]
    model._$write(&row)
    if row.failure != nil { try check(row, model, entity) }
    if row.hasTemporaryKeys { saved.rows[index].hasTemporaryKeys = true }
  }

  /// Updates rows, each after those whose unique values it takes over.
  private func updateAll(_ models: ModelList) throws {
    var waiting = models
    while !waiting.isEmpty {
      var refused = ModelList()
      var refusal: DatabaseError?
      for model in waiting {
        let fileCount = writes?.written.count ?? 0
        do {
          try update(model, unwritten(of: model))
        } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {
          writes?.discard(keeping: fileCount)
          refused.append(model)
          refusal = refusal ?? error
        }
      }
      if let refusal, refused.count == waiting.count { return try exchange(among: refused.models, refusal) }
      waiting = refused
    }
  }

  /// Writes relationships once more that refer to models which turned out to have other keys.
  private func repoint(_ models: ModelList) throws {
    let merged = mergedKeys
    if merged.isEmpty { return }
    for model in models {
      let changed = store.schema.entities[model._$state.ordinal].relationships.filter {
        $0.column != nil && !merged.isDisjoint(with: model._$edit($0.index, .collect).keys)
      }
      if !changed.isEmpty { try update(model, PropertySet(changed.map(\.index))) }
    }
  }

  func update(
    _ model: any PersistentModel, _ changed: PropertySet, key: Int64? = nil, mayBeGone: Bool = false
  ) throws {
    let entity = store.schema.entities[model._$state.ordinal]
    guard let update = try lastUpdate(of: entity, changed) else { return }
    if !entity.externals.isEmpty { try releaseFiles(of: entity, keys: [key ?? model._$state.key], changed) }
    update.row.rewind()
    model._$write(&update.row)
    if update.row.failure != nil { try check(update.row, model, entity) }
    update.statement.bind(key ?? model._$state.key, at: update.row.nextParameter)
    if let capture, let table = update.ownTable {
      try capture.updating(update.columns, of: table, update.statement, connection)
    } else if let capture {
      try capture.updating(update.columns) { try update.statement.run() }
    } else {
      try update.statement.run()
    }
    if connection.changes == 0, !mayBeGone {
      throw SwiftDataError.validation(
        model: entity.name, property: nil, row: model.persistentModelID,
        "The row is not in the store any more: another context or program deleted it.",
        remedy: "Delete the model, or roll back.")
    }
  }

  /// The update of some properties; nil when they have no columns.
  private func lastUpdate(of entity: EntityInfo, _ changed: PropertySet) throws -> RowUpdate? {
    if let last = updates.last, last.ordinal == entity.ordinal, last.changed == changed { return last }
    let ownTable = capture?.ownTable(of: entity, updating: changed, connection)
    guard let sql = store.statements(entity).update(changed, isNoted: ownTable != nil) else { return nil }
    if ownTable != nil { connection.addUpdateNote() }
    let statement = try connection.statement(sql)
    let row = _RowWriter(
      statement, entity, firstParameter: 1, properties: changed, keys: saved.keys, external: external)
    let update = RowUpdate(
      ordinal: entity.ordinal, changed: changed, columns: capture?.columns(changed, of: entity) ?? .max,
      ownTable: ownTable, statement: statement, row: row)
    updates.last = update
    return update
  }

  func writeJoinRows(_ joinRows: [JoinRow: Bool]) throws {
    for (row, isLinked) in joinRows {
      let statement = try connection.statement(row.sql(isLinked: isLinked, table: row.table))
      statement.bind(saved.keys[row.keys.0], at: 1)
      statement.bind(saved.keys[row.keys.1], at: 2)
      try statement.run()
    }
  }

  func check(_ row: _RowWriter, _ model: any PersistentModel, _ entity: EntityInfo) throws {
    guard let failure = row.failure else { return }
    throw SwiftDataError.unwritable(failure.error, model, entity.properties[failure.index], of: entity)
  }
}

/// The update that wrote the last row. A class, as those who update rows do not change the writer.
private final class Updates {
  var last: RowUpdate?
}

/// A statement that writes some properties of rows, one after the other.
private final class RowUpdate {
  let ordinal: Int
  let changed: PropertySet
  /// The columns of these, as history counts them.
  let columns: UInt64
  /// The log's table if the statement tells of its row itself.
  let ownTable: Int?
  let statement: Statement
  // SAFETY: of one save, and what writes a row does not write another one with it meanwhile.
  @exclusivity(unchecked) var row: _RowWriter

  init(
    ordinal: Int, changed: PropertySet, columns: UInt64, ownTable: Int?, statement: Statement, row: _RowWriter
  ) {
    self.ordinal = ordinal
    self.changed = changed
    self.columns = columns
    self.ownTable = ownTable
    self.statement = statement
    self.row = row
  }
}

extension JoinRow {
  /// Parameters: the two keys.
  func sql(isLinked: Bool, table: String) -> String {
    if isLinked {
      return SQLitePrinter.print(
        SQLInsert(into: table, [columns.0, columns.1], onConflict: [SQLConflict([], do: .nothing)])
      ).sql
    }
    return SQLitePrinter.print(
      SQLDelete(
        from: table,
        where: .all([
          .binary(.equal, .column(columns.0), .parameter), .binary(.equal, .column(columns.1), .parameter),
        ]))
    ).sql
  }
}
