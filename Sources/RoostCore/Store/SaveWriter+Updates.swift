import RoostEngine

// Edits of rows that are there.
extension SaveWriter {
  /// Updates rows, each after those whose unique values it takes over.
  func updateAll(_ models: ModelList) throws {
    var waiting = models
    while !waiting.isEmpty {
      var refused = RefusedUpdates()
      for model in waiting {
        guard try isUpdated(model, &refused), !refused.isEmpty else { continue }
        // Its former values are free now for those that wait for it, and theirs for others.
        var next = refused.take(waitingFor: row(of: model))
        while let model = next.popLast() {
          if try isUpdated(model, &refused) { next += refused.take(waitingFor: row(of: model)) }
        }
      }
      guard let refusal = refused.refusal, !refused.isEmpty else { return }
      let left = refused.models
      let former = waiting.count
      waiting = ModelList(waiting.filter { left.contains(ObjectIdentifier($0)) })
      if waiting.count == former { return try exchange(among: waiting.models, refusal) }
    }
  }

  /// Updates a row; false if another one has its unique values.
  private func isUpdated(_ model: any PersistentModel, _ refused: inout RefusedUpdates) throws -> Bool {
    let fileCount = writes?.written.count ?? 0
    do {
      try update(model, unwritten(of: model))
      return true
    } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {
      writes?.discard(keeping: fileCount)
      let found = try existingRow(model, store.schema.entities[model._$state.ordinal])
      let row = found.map { RefusedUpdates.Row(root: $0.entity.root.ordinal, key: $0.key) }
      refused.add(model, waitingFor: row, error)
      return false
    }
  }

  private func row(of model: any PersistentModel) -> RefusedUpdates.Row {
    RefusedUpdates.Row(root: store.rootOrdinal(model._$state.ordinal), key: model._$state.key)
  }

  /// Writes relationships once more that refer to models which turned out to have other keys.
  func repoint(_ models: ModelList) throws {
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
    guard let update = try rowUpdate(of: entity, changed) else { return }
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
  private func rowUpdate(of entity: EntityInfo, _ changed: PropertySet) throws -> RowUpdate? {
    if let known = updates.find(entity.ordinal, changed) { return known }
    let ownTable = capture?.ownTable(of: entity, updating: changed, connection)
    guard let sql = store.statements(entity).update(changed, isNoted: ownTable != nil) else { return nil }
    if ownTable != nil { connection.addUpdateNote() }
    let statement = try connection.statement(sql)
    let row = _RowWriter(
      statement, entity, firstParameter: 1, properties: changed, keys: saved.keys, external: external)
    let update = RowUpdate(
      ordinal: entity.ordinal, changed: changed, columns: capture?.columns(changed, of: entity) ?? .max,
      ownTable: ownTable, statement: statement, row: row)
    updates.keep(update)
    return update
  }
}

/// Updates that SQLite refused, as other rows have the unique values.
private struct RefusedUpdates {
  struct Row: Hashable {
    let root: Int
    let key: Int64
  }

  /// By the row that has the values; by nil where that is not known, as with another program's index.
  private var waiting: [Row?: [any PersistentModel]] = [:]
  /// The first that SQLite said.
  private(set) var refusal: DatabaseError?

  var isEmpty: Bool { waiting.isEmpty }

  var models: Set<ObjectIdentifier> { Set(waiting.values.joined().map { ObjectIdentifier($0) }) }

  mutating func add(_ model: any PersistentModel, waitingFor row: Row?, _ error: DatabaseError) {
    waiting[row, default: []].append(model)
    refusal = refusal ?? error
  }

  /// Takes those out that wait for a row, the first at the end.
  mutating func take(waitingFor row: Row) -> [any PersistentModel] {
    (waiting.removeValue(forKey: row) ?? []).reversed()
  }
}

/// The updates of a save, as rows of several classes may change by turns. A class: those who update
/// rows do not change the writer.
final class Updates {
  /// The newest: most saves have one alone.
  private var last: RowUpdate?
  private var others: [RowUpdate] = []
  /// Each keeps a statement for itself.
  private static var most: Int { 16 }

  fileprivate func find(_ ordinal: Int, _ changed: PropertySet) -> RowUpdate? {
    if let last, last.isOf(ordinal, changed) { return last }
    return others.first { $0.isOf(ordinal, changed) }
  }

  fileprivate func keep(_ update: RowUpdate) {
    if let last {
      if others.count == Self.most { others.removeFirst() }
      others.append(last)
    }
    last = update
  }
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

  func isOf(_ ordinal: Int, _ changed: PropertySet) -> Bool { self.ordinal == ordinal && self.changed == changed }
}
