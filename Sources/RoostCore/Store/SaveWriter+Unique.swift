import RoostEngine
import RoostSQL

// New models whose unique values a row has already.
extension SaveWriter {
  /// Inserts rows of one entity, or updates those that have the same unique values.
  mutating func insertUnique(_ indexes: ArraySlice<Int>) throws {
    guard let first = indexes.first else { return }
    let entity = store.schema.entities[saved.rows[first].ordinal]
    guard let statement = try upsertStatement(entity) else {
      for index in indexes { try insertUnique(at: index) }
      return
    }
    var row = _RowWriter(statement, entity, firstParameter: 2, properties: nil, keys: saved.keys, external: external)
    for place in indexes.indices {
      let index = indexes[place]
      if saved.rows[index].isRestored {
        try insertUnique(at: index)
        continue
      }
      try bind(index, to: statement, &row, entity)
      guard try upsert(statement) else {
        for index in indexes[place...] { try insertUnique(at: index) }
        return
      }
      guard let key = connection.notedKey else { continue }
      if key <= 0 { throw store.unreadableKey(entity, key) }
      merge(index, into: key, of: entity)
    }
  }

  /// Returns false if the statement cannot be run, as another program has dropped the index since it was prepared.
  private func upsert(_ statement: Statement) throws -> Bool {
    connection.notedKey = nil
    do {
      try statement.run()
      return true
    } catch {
      guard error.code == DatabaseError.error else { throw error }
      return false
    }
  }

  /// nil where one statement cannot decide, or there is no such index: in the midst of a migration, or when another
  /// program has dropped it.
  private func upsertStatement(_ entity: EntityInfo) throws -> Statement? {
    guard let sql = store.statements(entity).upsert else { return nil }
    connection.addKeyNote()
    do {
      return try connection.statement(sql)
    } catch  where error.code == DatabaseError.error {
      return nil
    }
  }

  /// Notes that a new model is the update of a row.
  private mutating func merge(_ index: Int, into key: Int64, of entity: EntityInfo) {
    saved.rows[index].ordinal = entity.ordinal
    saved.keys.replace(saved.rows[index].temporaryKey, with: key)
    saved.rows[index].key = key
    saved.rows[index].isMerged = true
    // The row may leave other models for those that the new one refers to.
    saved.hasChangedOthers = true
    saved.rows[index].hasTemporaryKeys = true
  }

  private mutating func insertUnique(at index: Int) throws {
    let (model, entity) = (changes.inserted[index], store.schema.entities[saved.rows[index].ordinal])
    guard let found = try existingRow(model, entity) else { return try insert([index]) }
    let policy = found.constraint.policy
    // An undo brings a row back, and must not change another instead.
    if policy == .reject || saved.rows[index].isRestored || policy == .upsert && !found.entity.isKind(of: entity) {
      throw conflict(of: model, entity, with: found)
    }
    merge(index, into: found.key, of: found.entity)
    if policy == .keepExisting { return }
    // The row keeps the relationships that the new model does not set.
    let given = entity.properties.filter { property in
      switch property.kind {
      case .attribute: true
      case .toOne: !model._$edit(property.index, .collect).keys.isEmpty
      case .toMany: false
      }
    }
    try update(model, PropertySet(given.map(\.index)), key: found.key)
  }

  /// A row with a new model's unique values.
  struct ExistingRow {
    let key: Int64
    /// What the row is one of.
    let entity: EntityInfo
    let constraint: EntityInfo.Constraint
  }

  /// The row other than a model's own that has its values of one of the entity's unique constraints.
  func existingRow(_ model: any PersistentModel, _ entity: EntityInfo) throws -> ExistingRow? {
    for existing in store.statements(entity).existing {
      let statement = try connection.statement(existing.sql)
      defer { statement.reset() }
      var row = _RowWriter(
        statement, entity, firstParameter: 1, properties: existing.properties, keys: saved.keys, external: .inline)
      model._$write(&row)
      try check(row, model, entity)
      guard try statement.step() else { continue }
      let key = statement.int64(0)
      if key == model._$state.key { continue }
      if key <= 0 { throw store.unreadableKey(entity, key) }
      guard entity.isInHierarchy else {
        return ExistingRow(key: key, entity: entity, constraint: existing.constraint)
      }
      let name = statement.string(1)
      guard let kind = entity.root.selfAndDescendants.first(where: { $0.name == name }) else {
        throw store.unknownType(entity, name, key: key)
      }
      return ExistingRow(key: key, entity: kind, constraint: existing.constraint)
    }
    return nil
  }

  /// The error of a model that cannot have the row that has its unique values.
  private func conflict(of model: any PersistentModel, _ entity: EntityInfo, with row: ExistingRow) -> SwiftDataError {
    let names = row.constraint.properties.map { $0.name(in: entity) }.joined(separator: ", ")
    let isOther = row.constraint.policy == .upsert && !row.entity.isKind(of: entity)
    return .validation(
      model: entity.name, property: names, row: model.persistentModelID,
      "The row \(row.key) of \(row.entity.name) has the same value of \(names)"
        + (isOther ? ", and cannot become a \(entity.name)." : "."),
      remedy: "Change the value, edit that row instead, or "
        + (isOther ? "delete it first." : "declare the attribute .unique(onConflict: .upsert)."))
  }

  /// Updates rows that have each other's new unique values.
  func exchange(among models: [any PersistentModel], _ refusal: DatabaseError) throws {
    let entities = models.map { store.schema.entities[$0._$state.ordinal] }
    let keys = Set(models.map { $0._$state.key })
    let blocked = try zip(models, entities).first { model, entity in
      try existingRow(model, entity).map { !keys.contains($0.key) } ?? false
    }
    let collision = try collision(of: blocked?.0 ?? models[0], refusal)
    if blocked != nil || models.count == 1 { throw collision }
    do {
      let roots = Dictionary(entities.map { ($0.root.ordinal, $0.root) }, uniquingKeysWith: { first, _ in first })
      try connection.withoutUniqueIndexes(of: Array(roots.values)) {
        for model in models { try update(model, unwritten(of: model)) }
      }
    } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {
      throw collision
    }
  }

  /// As SQLite's refusal of an edit, with both rows.
  func collision(of model: any PersistentModel, _ refusal: DatabaseError) throws -> SwiftDataError {
    let entity = store.schema.entities[model._$state.ordinal]
    let error = SwiftDataError.saving(refusal)
    let other = try existingRow(model, entity).map { " It is row \($0.key) of \($0.entity.name)." } ?? ""
    return SwiftDataError(
      error.code, error.message + other, model: entity.name, property: error.property, row: model.persistentModelID,
      remedy: error.remedy, underlying: refusal)
  }

  /// Rows with unique constraints that were written before a row they refer to turned out to have another key.
  func repointUnique() throws {
    let merged = mergedKeys
    if merged.isEmpty { return }
    for (model, row) in zip(changes.inserted, saved.rows) where store.schema.isUnique[row.ordinal] {
      let entity = store.schema.entities[model._$state.ordinal]
      // One that was given up for a row of another class has none to write to.
      guard store.schema.entities[row.ordinal].isKind(of: entity) else { continue }
      let changed = entity.properties.filter { property in
        guard case .toOne = property.kind else { return false }
        return !merged.isDisjoint(with: model._$edit(property.index, .collect).keys)
      }
      if changed.isEmpty { continue }
      try update(model, PropertySet(changed.map(\.index)), key: row.key)
    }
  }

  /// The temporary keys of models that turned out to be rows that were there before, and that others may refer to.
  var mergedKeys: Set<Int64> {
    let keys = saved.keys
    return Set(saved.rows.lazy.filter { $0.isMerged && keys[$0.temporaryKey] != $0.temporaryKey }.map(\.temporaryKey))
  }
}
