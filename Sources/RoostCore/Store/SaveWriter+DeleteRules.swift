import RoostEngine
import RoostSQL

/// What a context concluded from the relationships that it read is not what the rows say by now: another context or
/// program has written. The context reads them again, and saves once more.
struct StaleRelationships: Error {}

// A save deletes what its pending deletions name, and what delete rules reach from there by the rows as they are in its
// transaction. It nils a relationship out for one that let go only where the row still refers to that one.
extension SaveWriter {
  /// Checks that the rows say what the context concluded: which rows go with those that the program deleted.
  func checkDeletions() throws {
    let (rules, deleted) = (store.schema.deleteRules, changes.deleted)
    guard
      deleted.ordinals.contains(where: { rules.takesOthers(store.rootOrdinal($0)) })
        || !deleted.states.allSatisfy({ $0.state.flags.isNamed })
    else { return }
    let roots = deleted.those { $0.state.flags.isNamed }
    let statement = try connection.statement(rules.reachedSQL)
    defer { statement.reset() }
    let pairs = roots.map { "[\(rootOrdinal($0)),\($0._$state.key)]" }
    statement.bind("[" + pairs.joined(separator: ",") + "]", at: 1)
    var concluded = Set(changes.deleted.map { Row(ordinal: rootOrdinal($0), key: $0._$state.key) })
    while try statement.step() {
      let row = Row(ordinal: Int(statement.int64(0)), key: statement.int64(1))
      guard concluded.remove(row) == nil, try exists(row) else { continue }
      try checkClass(row)
      throw StaleRelationships()
    }
    if !concluded.isEmpty { throw StaleRelationships() }
  }

  struct Row: Hashable {
    let ordinal: Int
    let key: Int64
  }

  /// Whether there is a row: a reference may dangle, or be to one that is to come.
  func exists(_ row: Row) throws -> Bool {
    let table = quotedIdentifier(store.schema.entities[row.ordinal].table)
    let statement = try connection.statement("SELECT 1 FROM \(table) WHERE \(primaryKeyColumn) = ?")
    defer { statement.reset() }
    statement.bind(row.key, at: 1)
    return try statement.step()
  }

  /// Throws where a row is of a class that the schema does not have: no context can read it, and so delete it.
  private func checkClass(_ row: Row) throws {
    let root = store.schema.entities[row.ordinal]
    if !root.isInHierarchy { return }
    let (table, column) = (quotedIdentifier(root.table), quotedIdentifier(entityNameColumn))
    let statement = try connection.statement("SELECT \(column) FROM \(table) WHERE \(primaryKeyColumn) = ?")
    defer { statement.reset() }
    statement.bind(row.key, at: 1)
    guard try statement.step() else { return }
    let name = statement.string(0)
    if !root.typeNames.contains(name) { throw store.unknownType(root, name, key: row.key) }
  }

  private func rootOrdinal(_ model: any PersistentModel) -> Int { store.rootOrdinal(model._$state.ordinal) }

  /// Checks that no row that stays refers to a deleted one by a relationship whose rule is `.deny`.
  func checkDenials() throws {
    if store.schema.deleteRules.denials.isEmpty { return }
    let keys = Dictionary(grouping: changes.deleted) { rootOrdinal($0) }.mapValues {
      $0.map { $0._$state.key }.jsonArray
    }
    for rule in store.schema.deleteRules.denials {
      guard let owners = keys[rule.owner.root.ordinal] else { continue }
      let columns = rule.columns
      let (table, target, owner) = (
        quotedIdentifier(columns.table), quotedIdentifier(columns.target), quotedIdentifier(columns.owner)
      )
      let statement = try connection.statement(
        """
        SELECT \(owner), \(target) FROM \(table) WHERE \(owner) IN (SELECT value FROM json_each(?)) \
        AND \(target) > 0 AND \(target) NOT IN (SELECT value FROM json_each(?)) LIMIT 1
        """)
      defer { statement.reset() }
      let destination = rule.relationship.destination
      statement.bind(owners, at: 1)
      statement.bind(keys[destination.root.ordinal] ?? "[]", at: 2)
      guard try statement.step() else { continue }
      let (key, other) = (statement.int64(0), statement.int64(1))
      let model = changes.deleted.first { $0._$state.key == key && rootOrdinal($0) == rule.owner.root.ordinal }
      throw SwiftDataError.denied(model, rule, by: other)
    }
  }

  /// Nils relationships out whose other side let go, where the rows still refer to it.
  func detach() throws {
    for (place, models) in Dictionary(grouping: detached, by: \.place) {
      let entity = store.schema.entities[place.ordinal]
      let property = entity.properties[place.index]
      guard let column = property.column else { continue }
      let (table, name) = (quotedIdentifier(entity.table), quotedIdentifier(column))
      let isAsConcluded = """
        (\(primaryKeyColumn), \(name)) IN \
        (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))
        """
      let pairs = models.map { "[\($0.model._$state.key),\($0.owner)]" }
      let argument = "[" + pairs.joined(separator: ",") + "]"
      if property.isOptional || place.isDeleted {
        let statement = try connection.statement(
          "UPDATE \(table) SET \(name) = \(nobody(property)) WHERE \(isAsConcluded)")
        statement.bind(argument, at: 1)
        try statement.run()
        if connection.changes != models.count { throw StaleRelationships() }
      } else {
        let statement = try connection.statement("SELECT count(*) FROM \(table) WHERE \(isAsConcluded)")
        defer { statement.reset() }
        statement.bind(argument, at: 1)
        guard try statement.step(), statement.int64(0) == models.count else { throw StaleRelationships() }
        throw SwiftDataError.unwritable(RequiredRelationshipIsNil(), models[0].model, property, of: entity)
      }
    }
  }

  /// What a row that is to let go has in a relationship's column: what must refer to a row has the key
  /// of none until its own row goes.
  func nobody(_ property: PropertyInfo) -> String { property.isOptional ? "NULL" : "-\(primaryKeyColumn)" }

  private struct Detached {
    struct Place: Hashable {
      let ordinal: Int
      let index: Int
      /// Whether the model goes with the same save.
      let isDeleted: Bool
    }

    let place: Place
    let model: any PersistentModel
    let owner: Int64
  }

  /// Those that the deletion of a row does not nil out by itself.
  private var detached: [Detached] {
    let updated = changes.updated.those { $0.state.hasDetachments }
    let deleted = changes.deleted.those { $0.state.hasDetachments }
    return updated.flatMap { released(from: $0, isDeleted: false) }
      + deleted.flatMap { released(from: $0, isDeleted: true) }
  }

  /// Of a model that is deleted what decides by its row whether it may be, and what goes with it.
  private func released(from model: any PersistentModel, isDeleted: Bool) -> [Detached] {
    let entity = store.schema.entities[model._$state.ordinal]
    return model._$state.detachments.compactMap { index, detachment in
      let property = entity.properties[index]
      if detachment.isByDeletion, isDeleted || property.isOptional { return nil }
      if isDeleted, !property.takesOrProtects { return nil }
      let place = Detached.Place(ordinal: entity.ordinal, index: index, isDeleted: isDeleted)
      return Detached(place: place, model: model, owner: detachment.owner)
    }
  }
}

extension PropertyInfo {
  /// Whether the owner's deletion takes along what the relationship refers to, or is refused while there is anything.
  var takesOrProtects: Bool { relationship?.deleteRule == .cascade || relationship?.deleteRule == .deny }
}

extension _ModelState.Flags {
  /// Whether the program itself deleted the model, or one without a row took it along: no row tells.
  var isNamed: Bool { !contains(.cascaded) || contains(.cascadedFromNew) }
}

extension SwiftDataError {
  /// The refusal of a deletion: a row that stays still refers to the model.
  static func denied(_ model: (any PersistentModel)?, _ rule: DeleteRules.Rule, by key: Int64) -> SwiftDataError {
    validation(
      model: rule.owner.name, property: rule.property.name, row: model?.persistentModelID,
      "The model cannot be deleted: \(rule.relationship.destination.name) \(key) still refers to it.",
      remedy: "Delete or reassign what refers to it first.")
  }
}
