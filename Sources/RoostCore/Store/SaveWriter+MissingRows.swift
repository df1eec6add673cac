import RoostEngine

// References to rows that others have deleted. SQLite says when it commits that there is one, and not which.
extension SaveWriter {
  /// Names the first model that would refer to a row which is not there.
  func checkReferences() throws {
    guard connection.hasDanglingReferences else { return }
    for model in changes.inserted { try checkReferences(of: model) { _ in true } }
    for model in changes.updated { try checkReferences(of: model, where: model._$state.changed.contains) }
  }

  private func checkReferences(of model: any PersistentModel, where isWritten: (Int) -> Bool) throws {
    // The model's own: a row of a subclass that it became the update of has properties that the model does not.
    let entity = store.schema.entities[model._$state.ordinal]
    for property in entity.relationships where isWritten(property.index) {
      guard let relationship = property.relationship, isEnforced(relationship) else { continue }
      let destination = relationship.destination
      let members = model._$edit(property.index, .collect)
      let known = members.wasLoaded ? members.keys : model._$edit(property.index, .collectJoined).keys
      let keys = known.map { saved.keys[$0] }
      let present = Set(try store.existing(keys, of: destination.root, connection))
      guard let gone = keys.first(where: { !present.contains($0) }) else { continue }
      throw SwiftDataError.validation(
        model: entity.name, property: property.name, row: model.persistentModelID,
        "It refers to \(destination.name) \(gone), which is not in the store any more.",
        remedy: "\(Self.remedy(property)), or roll the context back.")
    }
  }

  private static func remedy(_ property: PropertyInfo) -> String {
    if property.isList { return "Take it out of the list" }
    return property.isOptional ? "Set another value or none" : "Set another value"
  }

  /// Whether SQLite sees to it that the rows are there which the relationship's own column or join table refers to.
  private func isEnforced(_ relationship: RelationshipInfo) -> Bool {
    switch relationship.storage {
    case .column: TableDefinitions.reference(relationship) != nil
    case .joinTable: true
    case .inverseColumn: false
    }
  }
}
