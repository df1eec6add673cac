import RoostEngine
import Synchronization

extension Store {
  /// Refuses what writes, in a store that was opened to be read. `alternative`: what to do else than opening it anew.
  package func checkAllowsSave(_ alternative: String? = nil) throws {
    if configuration.allowsSave { return }
    throw SwiftDataError(
      .readOnlyStore, "The store was opened with allowsSave: false.",
      remedy: alternative.map { "\($0), or open the container with a configuration that allows saving." }
        ?? "Open the container with a configuration that allows saving.")
  }

  /// Writes all changes in one transaction, or none.
  func save(_ changes: SaveChanges) throws -> SavedChanges {
    // The rows that refer to a deleted one are found by an index.
    if !changes.deleted.isEmpty { ensureIndexes() }
    for list in changes.lists where list.readsStore { ensureIndexes(of: [list.relationship.destination.table]) }
    let saved: SavedChanges = try SwiftDataError.translating(SwiftDataError.saving) {
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
    pruneHistory(after: saved.recorded)
    return saved
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
  let updates = Updates()
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

  func check(_ row: _RowWriter, _ model: any PersistentModel, _ entity: EntityInfo) throws {
    guard let failure = row.failure else { return }
    throw SwiftDataError.unwritable(failure.error, model, entity.properties[failure.index], of: entity)
  }
}
