package import RoostEngine

extension SwiftDataError {
  /// A value that has no form in the store.
  static func unwritable(
    _ error: any Error, _ model: any PersistentModel, _ property: PropertyInfo, of entity: EntityInfo
  ) -> SwiftDataError {
    if error is RequiredRelationshipIsNil {
      return validation(
        model: entity.name, property: property.name, row: model.persistentModelID,
        "A relationship that is not optional is nil.",
        remedy: "Set it, delete the model, or make the relationship optional.")
    }
    if let error = error as? ExternalFileError {
      return externalFile(property, of: entity, row: model.persistentModelID, error.url, error.underlying)
    }
    let tellsValues = model._$state.core?.store.configuration.storeOptions.reportsArguments ?? false
    return validation(
      model: entity.name, property: property.name, row: model.persistentModelID,
      "The value cannot be stored: \(reason(error, tellsValues: tellsValues))", remedy: "Set another value.")
  }

  /// What a save's failure means, with the model and property that SQLite names.
  package static func saving(_ error: DatabaseError) -> SwiftDataError {
    guard error.primaryCode == DatabaseError.constraint else { return reading(error) }
    let subject = error.message.split(separator: ": ").last.map(String.init) ?? ""
    if error.code == DatabaseError.constraintUnique, subject.hasPrefix("index ") {
      // Of a constraint on fields of composite attributes SQLite only tells the index.
      return SwiftDataError(
        .modelValidationFailure, "Another row has the same values of the unique \(subject).",
        remedy: "Change the values, or edit the other model instead.", underlying: error)
    }
    let columns = subject.split(separator: ",").map { $0.trimmingPrefix(" ").split(separator: ".", maxSplits: 1) }
    let model = columns.first?.first.map(String.init)
    let property = columns.compactMap { $0.count == 2 ? String($0[1]) : nil }.joined(separator: ", ")
    switch error.code {
    case DatabaseError.constraintUnique, DatabaseError.constraintPrimaryKey:
      return SwiftDataError(
        .modelValidationFailure, "Another row has the same value of a unique property.", model: model,
        property: property, remedy: "Change the value, or edit the other model instead.", underlying: error)
    case DatabaseError.constraintForeignKey:
      return SwiftDataError(
        .modelValidationFailure, "A relationship refers to a row that is not there, or a row is still needed.",
        remedy: "Look for deleted models that others still refer to with a deny rule or a required relationship.",
        underlying: error)
    case DatabaseError.constraintNotNull:
      return SwiftDataError(
        .modelValidationFailure, "A property that is not optional would have no value.", model: model,
        property: property, remedy: "Set it, or make it optional.", underlying: error)
    default:
      return SwiftDataError(
        .modelValidationFailure, error.message, model: model, property: property,
        remedy: "Look for a check or a trigger that another program added to the table.", underlying: error)
    }
  }
}
