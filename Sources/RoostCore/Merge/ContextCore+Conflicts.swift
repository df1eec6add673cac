import Logging
import RoostEngine
import RoostSQL

// What the store had of a property when the context edited it, and what it has by now.
extension ContextCore {
  /// Notes what the store had of a property that is about to change for the first time since the last save.
  func keepAncestor(of model: any PersistentModel, _ index: Int) {
    let state = (isNew: model._$state.flags.contains(.inserted), changed: model._$state.changed)
    let property = schema.entities[model._$state.ordinal].properties[index]
    if state.isNew || state.changed.contains(index) || property.column == nil { return }
    let isRuled = rule(of: model, index) != nil
    guard isRuled || policyNeedsAncestors else { return }
    let operation = isRuled ? _SlotEdit.Operation.content : .column
    // Its file need not be read, but for a rule: by the time of the merge it may be gone.
    if !model._$edit(index, .collect).wasLoaded, model._$edit(index, operation).column == nil { load(model, index) }
    guard let column = model._$edit(index, operation).column else { return }
    if let ancestor = isRuled ? content(column, property) : column { model._$state.noteAncestor(index, ancestor) }
  }

  /// Takes what the store has now for what edits without an ancestor were made of.
  func keepStoredAncestors() {
    do {
      try store.pool.read { connection in
        try store.rows(of: pending.changedModels.models, connection) { model, row in
          for index in row.indices where model._$state.changed.contains(index) {
            if model._$state.ancestors[index] == nil { model._$state.noteAncestor(index, row[index]) }
          }
        }
      }
    } catch {
      store.logger.error(
        "Edits made before the merge policy was set win over others'", metadata: ["error": "\(error)"])
    }
  }

  /// Has the next save take what the store has now for what the edits were made of.
  func keepOwn(_ conflict: FoundConflict) {
    for values in conflict.values where conflict.model._$state.changed.contains(values.index) {
      conflict.model._$state.noteAncestor(values.index, values.store)
    }
  }

  /// Drops edits, and shows what is stored instead.
  func takeStored(_ conflicts: [FoundConflict]) throws {
    if conflicts.isEmpty { return }
    try editing {
      // Read first: what cannot be read must not be lost.
      try readAgain(conflicts.map(\.model))
      for conflict in conflicts {
        let model = conflict.model
        let properties = schema.entities[model._$state.ordinal].properties
        let dropped = conflict.isDeleted ? properties.map(\.index) : conflict.values.map(\.index)
        for index in dropped where model._$state.changed.contains(index) {
          dropPartner(of: model, properties[index])
          pending.restore(model, index, isChanged: false)
        }
        if conflict.isDeleted { dropJoinRows(of: model) }
      }
      try tellingChanges(of: conflicts.map(\.model)) { try readAgain(conflicts.map(\.model)) }
      showStoredRelationships()
    }
  }

  /// Has the partner that an edit gave a model in a one-to-one relationship let go of it, before the edit is dropped.
  private func dropPartner(of model: any PersistentModel, _ property: PropertyInfo) {
    guard let relationship = property.relationship, !property.isList, relationship.inverseIsToOne,
      let inverse = relationship.inverse, let key = model._$edit(property.index, .collect).keys.first,
      let partner = existing(ordinal: relationship.destination.ordinal, key: key),
      partner._$edit(inverse, .collect).keys == [model._$state.key]
    else { return }
    let isNew = partner._$state.flags.contains(.inserted)
    guard isNew || partner._$state.changed.contains(inverse) else { return }
    partner._$announce(inverse, willChange: true)
    if isNew {
      partner._$edit(inverse, .restore(.toOne(ToOneReference(key: 0))))
    } else {
      partner._$edit(inverse, .unload)
      pending.restore(partner, inverse, isChanged: false)
    }
    partner._$announce(inverse, willChange: false)
  }

  private func dropJoinRows(of model: any PersistentModel) {
    for property in schema.entities[model._$state.ordinal].relationships {
      guard case .joinTable(let table, let own, _) = property.relationship?.storage else { continue }
      for row in pending.allJoinRows.keys where row.table == table && row.key(in: own) == model._$state.key {
        pending.setJoinRow(row, nil)
      }
    }
  }

  /// The edits of some models that the store has other values of than they were made of.
  func conflicts(_ models: [any PersistentModel], _ connection: Connection) throws -> [FoundConflict] {
    var found: [FoundConflict] = []
    let edited = models.filter { model in model._$state.ancestors.keys.contains { model._$state.isEdited($0) } }
    var missing = Dictionary(edited.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
    try store.rows(of: edited, connection) { model, row in
      missing[ObjectIdentifier(model)] = nil
      let values = conflictingValues(of: model, row)
      if !values.isEmpty { found.append(FoundConflict(model: model, values: values, isDeleted: false)) }
    }
    if !policyNeedsAncestors { return found }
    return found + missing.values.map { FoundConflict(model: $0, values: [], isDeleted: true) }
  }

  private func conflictingValues(of model: any PersistentModel, _ row: StoredRow) -> [ConflictingValues] {
    let properties = schema.entities[model._$state.ordinal].properties
    let detached = model._$state.detachments
    return model._$state.ancestors.sorted { $0.key < $1.key }.compactMap { index, ancestor in
      let (property, isRuled) = (properties[index], rule(of: model, index) != nil)
      guard model._$state.changed.contains(index), detached[index] == nil,
        let own = model._$edit(index, isRuled ? .content : .column).column
      else { return nil }
      let stored = isRuled ? content(row[index], property) ?? row[index] : row[index]
      if property.isSame(stored, ancestor) { return nil }
      var values = ConflictingValues(index: index, ancestor: ancestor, own: own, store: stored)
      values.merged = merged(values, of: model)
      if values.merged != nil { return values }
      return (policyNeedsAncestors || keepsBeside(model, index)) && !property.isSame(stored, own) ? values : nil
    }
  }
}

extension SaveWriter {
  /// Compares the rows that are to be updated with what the edits were made of, where the policy asks for
  /// that or an attribute has a rule.
  func checkConflicts() throws {
    guard let core = changes.updated.states.first?.state.core, core.keepsAncestors else { return }
    let found = try core.noteOverwritten(core.conflicts(changes.updated.models, connection), connection)
    // What the rule makes of both may be the edit.
    let others = found.compactMap { $0.without { _, values in values.merged == values.own } }
    if !others.isEmpty { throw FoundConflicts(conflicts: others) }
  }
}

/// The columns of a row, by the indexes of their properties.
struct StoredRow {
  let statement: Statement
  /// nil for what has no column.
  let columns: [Int32?]

  var indices: [Int] { columns.indices.filter { columns[$0] != nil } }

  subscript(index: Int) -> SQLValue { columns[index].map { statement.sqlValue($0) } ?? .null }
}

extension Store {
  /// Calls `body` with each model that has a row, in a statement an entity.
  func rows(
    of models: [any PersistentModel], _ connection: Connection, _ body: (any PersistentModel, StoredRow) throws -> Void
  ) throws {
    for (ordinal, models) in Dictionary(grouping: models, by: { $0._$state.ordinal }) {
      let entity = schema.entities[ordinal]
      let byKey = Dictionary(models.map { ($0._$state.key, $0) }, uniquingKeysWith: { first, _ in first })
      let statement = try connection.statement(statements(entity).selectMany)
      defer { statement.reset() }
      statement.bind(Array(byKey.keys).jsonArray, at: 1)
      let names = statements(entity).columns
      let columns = entity.properties.map { property in
        property.column.flatMap { names.firstIndex(of: $0) }.map { Int32($0) }
      }
      let row = StoredRow(statement: statement, columns: columns)
      while try statement.step() {
        if let model = byKey[statement.int64(0)] { try body(model, row) }
      }
    }
  }

  /// The value that a column names the file of; nil when it names none, or one that is gone.
  func fileValue(_ column: SQLValue, _ type: _ColumnType) -> SQLValue? {
    guard let name = ExternalReference.name(column, in: type), let bytes = try? files?.read(name) else { return nil }
    if type == .blob { return .blob(bytes) }
    return String(validating: bytes, as: UTF8.self).map { .text($0) }
  }
}

extension PropertyInfo {
  /// Whether two columns hold the same value, which may have several texts.
  func isSame(_ left: SQLValue, _ right: SQLValue) -> Bool {
    if left == right { return true }
    guard case .attribute(let codec) = kind else { return false }
    func areSame<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Bool {
      guard let left = codec.decode(left), let right = codec.decode(right) else { return false }
      return SameValue.areSame(left, right)
    }
    return areSame(codec)
  }
}
