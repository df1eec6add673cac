import RoostEngine
import RoostSQL

// New models whose unique values a row has already.
extension SaveWriter {
  mutating func insertUnique(at index: Int) throws {
    let (model, entity) = (changes.inserted[index], store.schema.entities[saved.rows[index].ordinal])
    guard let found = try existingRow(model, entity) else { return try insert(at: index) }
    let (existing, kind, constraint) = (found.key, found.entity, found.constraint.properties)
    let policy = found.constraint.policy
    // An undo brings a row back, and must not change another instead.
    if policy == .reject || saved.rows[index].isRestored { throw rejection(of: model, existing, entity, constraint) }
    if policy == .upsert, !kind.isKind(of: entity) { throw otherClass(than: model, existing, kind, entity, constraint) }
    saved.rows[index].ordinal = kind.ordinal
    saved.keys.replace(saved.rows[index].temporaryKey, with: existing)
    saved.rows[index].key = existing
    saved.rows[index].isMerged = true
    saved.rows[index].hasTemporaryKeys = true
    if policy == .keepExisting { return }
    // The row keeps the relationships that the new model does not set.
    let given = entity.properties.filter { property in
      switch property.kind {
      case .attribute: true
      case .toOne: !model._$edit(property.index, .collect).keys.isEmpty
      case .toMany: false
      }
    }
    try update(model, PropertySet(given.map(\.index)), key: existing)
  }

  /// A row with a new model's unique values.
  private struct ExistingRow {
    let key: Int64
    /// What the row is one of.
    let entity: EntityInfo
    let constraint: EntityInfo.Constraint
  }

  /// The row that one of the entity's unique constraints makes the model's.
  private func existingRow(_ model: any PersistentModel, _ entity: EntityInfo) throws -> ExistingRow? {
    for existing in store.statements(entity).existing {
      let statement = try connection.statement(existing.sql)
      defer { statement.reset() }
      var row = _RowWriter(
        statement, entity, firstParameter: 1, properties: existing.properties, keys: saved.keys, external: .inline)
      model._$write(&row)
      try check(row, model, entity)
      guard try statement.step() else { continue }
      let key = statement.int64(0)
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

  /// What a row is never changes, so that another class's cannot become the model's.
  private func otherClass(
    than model: any PersistentModel, _ key: Int64, _ kind: EntityInfo, _ entity: EntityInfo, _ constraint: [IndexKey]
  ) -> SwiftDataError {
    let names = constraint.map { $0.name(in: entity) }.joined(separator: ", ")
    return .validation(
      model: entity.name, property: names, row: model.persistentModelID,
      "The row \(key) has the same value of \(names), and is a \(kind.name), which cannot become a \(entity.name).",
      remedy: "Change the value, edit that row instead, or delete it first.")
  }

  private func rejection(
    of model: any PersistentModel, _ key: Int64, _ entity: EntityInfo, _ constraint: [IndexKey]
  ) -> SwiftDataError {
    let names = constraint.map { $0.name(in: entity) }.joined(separator: ", ")
    return .validation(
      model: entity.name, property: names, row: model.persistentModelID,
      "The row \(key) of \(entity.name) has the same value of \(names).",
      remedy: "Change the value, edit that row instead, or declare the attribute .unique(onConflict: .upsert).")
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

  /// The temporary keys of models that turned out to be rows that were there before.
  var mergedKeys: Set<Int64> { Set(saved.rows.lazy.filter(\.isMerged).map(\.temporaryKey)) }
}
