package import Foundation

extension SwiftDataError {
  package static func unsupportedPredicate(_ detail: String, remedy: String? = nil) -> SwiftDataError {
    SwiftDataError(.unsupportedPredicate, detail, remedy: remedy)
  }

  package static func unsupportedKeyPath(_ detail: String, model: String? = nil) -> SwiftDataError {
    SwiftDataError(.unsupportedKeyPath, detail, model: model)
  }

  /// A query asks for an attribute whose value the store does not have.
  package static func ephemeralKeyPath(_ source: String, model: String) -> SwiftDataError {
    SwiftDataError(
      .unsupportedKeyPath, "`\(source)` is `.ephemeral`, so that the store does not have it.", model: model,
      remedy: "Filter and sort the models that a fetch gives, or have \(model) store the property.")
  }

  /// A query asks for more of an attribute than whether it is nil, and its value may be in a file.
  package static func externalKeyPath(_ property: PropertyInfo) -> SwiftDataError {
    SwiftDataError(
      .unsupportedPredicate,
      "A query can only compare `\(property.name)` with nil: its values may be in files, for it is `.externalStorage`.",
      model: property.owner.name, property: property.name,
      remedy: "Filter the models that a fetch gives, or remove .externalStorage.")
  }

  package static func unsupportedSortDescriptor(_ detail: String, model: String? = nil) -> SwiftDataError {
    SwiftDataError(.unsupportedSortDescriptor, detail, model: model)
  }

  package static func validation(
    model: String, property: String?, row: PersistentIdentifier?, _ message: String, remedy: String? = nil
  ) -> SwiftDataError {
    SwiftDataError(
      .modelValidationFailure, message, model: model, property: property, row: row, remedy: remedy)
  }

  package static func loadIssue(
    _ message: String, url: URL? = nil, remedy: String? = nil, underlying: (any Error)? = nil
  ) -> SwiftDataError {
    SwiftDataError(.loadIssueModelContainer, message, remedy: remedy, underlying: underlying, url: url)
  }

  package static func corruptValue(
    model: String, property: String, row: PersistentIdentifier?, _ message: String
  ) -> SwiftDataError {
    SwiftDataError(.corruptValue, message, model: model, property: property, row: row)
  }

  package static func invalidSchema(
    model: String?, property: String? = nil, _ message: String, remedy: String?
  ) -> SwiftDataError {
    SwiftDataError(.invalidSchema, message, model: model, property: property, remedy: remedy)
  }
}
