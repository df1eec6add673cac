import RoostEngine
import RoostSQL

extension SaveWriter {
  /// Checks the least and greatest number of members of the lists that this save touched, as they are after it.
  func validateCounts() throws {
    guard store.schema.hasBoundedLists else { return }
    for (model, row) in zip(changes.inserted, saved.rows) {
      for list in store.schema.entities[row.ordinal].boundedLists {
        try validateCount(of: list, model, key: row.key)
      }
    }
    for model in changes.updated {
      for list in store.schema.entities[model._$state.ordinal].boundedLists
      where model._$state.changed.contains(list.index) {
        try validateCount(of: list, model, key: model._$state.key)
      }
    }
  }

  private func validateCount(of property: PropertyInfo, _ model: any PersistentModel, key: Int64) throws {
    guard let relationship = property.relationship, let list = ListTable(relationship) else { return }
    let statement = try connection.statement(
      "SELECT count(*) FROM \(quotedIdentifier(list.table)) WHERE \(quotedIdentifier(list.owner)) = ?")
    defer { statement.reset() }
    statement.bind(key, at: 1)
    let count = try statement.step() ? statement.int64(0) : 0
    // An optional list without members is nil.
    if count == 0 && relationship.isOptional { return }
    let bound: String
    if let least = relationship.minimumCount, count < least {
      bound = "at least \(least)"
    } else if let most = relationship.maximumCount, count > most {
      bound = "at most \(most)"
    } else {
      return
    }
    throw SwiftDataError.validation(
      model: store.schema.entities[model._$state.ordinal].name, property: property.name, row: model.persistentModelID,
      "The relationship refers to \(count) models, and must refer to \(bound).",
      remedy: "Add or remove models, or change minimumModelCount and maximumModelCount.")
  }
}
