import RoostEngine
import RoostSQL

// Deletions, in a statement a table.
extension SaveWriter {
  /// Deletes what is deleted: before new rows and values come, which may be unique ones of the rows deleted.
  ///
  /// Before that, rows leave their former owners, whose deletion would take them along.
  mutating func moveThenDelete() throws {
    try detach()
    if changes.deleted.isEmpty { return }
    try leaveOwners()
    try moveDeleted()
    if store.schema.deleteRules.readsJoinTables { try writeJoinRows(try decidingJoinRows()) }
    try checkDeletions()
    try checkDenials()
    // All before the first is deleted, which may take others along.
    try releaseFiles(of: changes.deleted)
    guard store.schema.cascadesInCircles, changes.deleted.count > Self.longestCascade else {
      return try delete(changes.deleted)
    }
    // A chain of rows that take each other along may be longer than SQLite follows, so they let go of each other, and
    // where they may not, the last of them go first.
    try leaveTakers()
    let chain = Array(changes.deleted.reversed())
    for start in stride(from: 0, to: chain.count, by: Self.longestCascade) {
      try delete(ModelList(Array(chain[start..<min(start + Self.longestCascade, chain.count)])))
    }
  }

  /// How many rows may take each other along. SQLite's limit is 1,000, unless it was built with another.
  private static var longestCascade: Int { 500 }

  private func delete(_ models: ModelList) throws {
    var keys: [Int: [Int64]] = [:]
    for ordinal in models.ordinals { keys[store.rootOrdinal(ordinal), default: []] += models.keys(of: ordinal) }
    for (ordinal, keys) in keys.sorted(by: { $0.key < $1.key }) {
      let root = store.schema.entities[ordinal]
      let statements = store.statements(root)
      // Rows that refer to each other must go together. One by one takes half the time.
      let isReferenced = root.selfAndDescendants.contains(where: \.isReferenced)
      if keys.count == 1 || !isReferenced {
        let statement = try connection.statement(statements.deleteOne)
        let table = isReferenced ? nil : capture?.ownTable(ofDeleted: root, connection)
        for key in keys {
          statement.bind(key, at: 1)
          guard let table else {
            try statement.run()
            continue
          }
          try connection.runUntold(statement)
          if connection.changes > 0 { capture?.log.didDelete(key, from: table) }
        }
      } else {
        let statement = try connection.statement(statements.deleteMany)
        statement.bind(keys.jsonArray, at: 1)
        try statement.run()
      }
    }
  }

  /// The links that decide what goes with deleted rows, and whether they may go. Those of rows that
  /// are gone already decide nothing.
  private func decidingJoinRows() throws -> [JoinRow: Bool] {
    let tables = Dictionary(store.schema.joinTables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return try changes.allJoinRows.filter { row, isLinked in
      guard row.isStored, isLinked, changes.joinRows[row] == nil, let table = tables[row.table] else {
        return row.isStored
      }
      return try [(table.owner, table.ownerColumn), (table.destination, table.destinationColumn)].allSatisfy {
        try exists(Row(ordinal: $0.root.ordinal, key: row.key(in: $1)))
      }
    }
  }

  /// Writes what rows that are to be deleted refer to by now: it decides what goes with them, and whether they may go.
  private func moveDeleted() throws {
    for model in changes.deleted.those({ $0.state.hasChangedProperties }) {
      let entity = store.schema.entities[model._$state.ordinal]
      let moved = PropertySet(
        entity.relationships.filter { property in
          property.column != nil && model._$state.isEdited(property.index) && property.decidesDeletions
        }.map(\.index))
      let missing = entity.relationships.filter { property in
        moved.contains(property.index) && !property.isOptional && model._$edit(property.index, .collect).keys.isEmpty
      }
      for property in missing { try letGo(model, property, entity) }
      // One that is gone already goes with nobody.
      let others = moved.subtracting(PropertySet(missing.map(\.index)))
      if !others.isEmpty { try update(model, others, mayBeGone: true) }
    }
  }

  /// Has the row of a model that is to be deleted refer to nobody, where it must refer to one as long as it is there.
  private func letGo(_ model: any PersistentModel, _ property: PropertyInfo, _ entity: EntityInfo) throws {
    guard let column = property.column.map({ quotedIdentifier($0) }) else { return }
    let statement = try connection.statement(
      "UPDATE \(quotedIdentifier(entity.table)) SET \(column) = \(nobody(property)) WHERE \(primaryKeyColumn) = ?")
    statement.bind(model._$state.key, at: 1)
    try statement.run()
  }

  /// Has rows that are to be deleted leave those whose deletion would take them along.
  private func leaveTakers() throws {
    for (ordinal, models) in Dictionary(grouping: changes.deleted, by: { $0._$state.ordinal }) {
      let entity = store.schema.entities[ordinal]
      let unique = Set(entity.constraints.flatMap { $0.properties.map(\.property) })
      let taken = PropertySet(
        entity.relationships.filter { property in
          guard property.column != nil, property.isOptional, !unique.contains(property.index),
            let relationship = property.relationship, let inverse = relationship.inverse
          else { return false }
          return relationship.destination.properties[inverse].relationship?.deleteRule == .cascade
        }.map(\.index))
      if taken.isEmpty { continue }
      let statement = try connection.statement(store.statements(entity).clear(taken))
      statement.bind(models.map { $0._$state.key }.jsonArray, at: 1)
      try statement.run()
    }
  }

  /// Writes the relationships that changed. Those that were set to nil are written for all such rows at once.
  private mutating func leaveOwners() throws {
    var cleared: [Clearing: [any PersistentModel]] = [:]
    for (place, address) in changes.updated.states.enumerated() {
      let entity = store.schema.entities[address.state.ordinal]
      if entity.relationships.isEmpty { continue }
      let model = changes.updated[place]
      let moved = PropertySet(
        entity.relationships.lazy.filter { $0.column != nil && model._$state.isEdited($0.index) }.map(\.index))
      if moved.isEmpty { continue }
      if areNil(model, entity, moved) {
        cleared[Clearing(ordinal: entity.ordinal, relationships: moved), default: []].append(model)
        continue
      }
      do {
        try update(model, moved)
        linked.insert(ObjectIdentifier(model))
      } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {
        // It comes in the place of a row that is still there. What may be NULL leaves its owner until then.
        let optional = PropertySet(
          entity.relationships.filter { $0.isOptional && moved.contains($0.index) }.map(\.index))
        if !optional.isEmpty { try clear(optional, of: [model], entity) }
      }
    }
    for (clearing, models) in cleared {
      try clear(clearing.relationships, of: models, store.schema.entities[clearing.ordinal])
      linked.formUnion(models.lazy.map { ObjectIdentifier($0) })
    }
  }

  /// A class, and the relationships that are to be nil in rows of it.
  private struct Clearing: Hashable {
    let ordinal: Int
    let relationships: PropertySet
  }

  /// Whether all relationships that changed are nil, and may be.
  private func areNil(_ model: any PersistentModel, _ entity: EntityInfo, _ moved: PropertySet) -> Bool {
    entity.relationships.allSatisfy { property in
      guard moved.contains(property.index) else { return true }
      if !property.isOptional { return false }
      let slot = model._$edit(property.index, .collect)
      return slot.wasLoaded && slot.keys.isEmpty && slot.models.isEmpty
    }
  }

  private func clear(
    _ relationships: PropertySet, of models: [any PersistentModel], _ entity: EntityInfo
  ) throws {
    let statement = try connection.statement(store.statements(entity).clear(relationships))
    statement.bind(models.map { $0._$state.key }.jsonArray, at: 1)
    try statement.run()
    if connection.changes == models.count { return }
    // Some row is gone: the first that an update of its own does not find is named.
    for model in models { try update(model, relationships) }
  }

  /// What of a model's changes is still to be written.
  func unwritten(of model: any PersistentModel) -> PropertySet {
    var changed = model._$state.changed
    // The deletion of the other row nils it out, or a statement for all of them has.
    if model._$state.hasDetachments { for index in model._$state.detachments.keys { changed.remove(index) } }
    if changes.policy == .ownObjectWins { changed.formUnion(store.schema.readAttributes(of: model)) }
    if linked.isEmpty || !linked.contains(ObjectIdentifier(model)) { return changed }
    return changed.subtracting(store.schema.entities[model._$state.ordinal].relationshipSet)
  }
}

extension SchemaInfo {
  /// The attributes of an edited model that it has values of.
  func readAttributes(of model: any PersistentModel) -> PropertySet {
    guard model._$state.hasChangedProperties else { return [] }
    let entity = entities[model._$state.ordinal]
    // What is in a file that was not read is the row's already.
    let read = PropertySet(
      entity.properties.filter { property in
        property.relationship == nil && property.isStored && model._$edit(property.index, .collect).wasLoaded
      }.map(\.index))
    // Others' values of what has a rule are not written over.
    return model._$state.core?.merges.map { read.subtracting($0.attributes(of: entity.ordinal)) } ?? read
  }
}

extension PropertyInfo {
  /// Whether a to-one relationship takes its target along or protects it, or its target takes the owner.
  fileprivate var decidesDeletions: Bool {
    let inverse = relationship.flatMap { relationship in
      relationship.inverse.flatMap { relationship.destination.properties[$0].relationship }
    }
    return takesOrProtects || inverse?.deleteRule == .cascade
  }
}
