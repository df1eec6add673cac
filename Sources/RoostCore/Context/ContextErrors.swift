import Foundation
package import RoostEngine

extension SwiftDataError {
  static func wrongContext(owner: any PersistentModel, target: any PersistentModel) -> SwiftDataError {
    SwiftDataError(
      .modelValidationFailure,
      "A relationship was set to a model of another context.", model: "\(type(of: owner))",
      remedy: "Look the \(type(of: target)) up in this context: context.model(for: other.persistentModelID).")
  }

  static func wrongContext(inserted model: any PersistentModel) -> SwiftDataError {
    SwiftDataError(
      .modelValidationFailure, "The model belongs to another context.", model: "\(type(of: model))",
      remedy: "Look it up in this context: context.model(for: other.persistentModelID).")
  }

  static func noRow(inserted model: any PersistentModel) -> SwiftDataError {
    SwiftDataError(
      .rowNotFound, "The model stands for one that is not in the store, so it was not inserted.",
      model: "\(type(of: model))",
      remedy: "Ask for isDeleted before using what model(for:) or a relationship gives, or make a new model.")
  }

  /// The same, saying how many mistakes came after it.
  func first(of count: Int) -> SwiftDataError {
    if count == 1 { return self }
    let others = count == 2 ? "Another mistake was made" : "\(count - 1) more mistakes were made"
    return SwiftDataError(
      code, message, model: model, property: property, row: row,
      remedy: [remedy, "\(others): see the log."].compactMap(\.self).joined(separator: " "), underlying: underlying)
  }

  static func unread(inserted model: any PersistentModel, _ property: PropertyInfo) -> SwiftDataError {
    SwiftDataError(
      .rowNotFound, "The row was deleted before the value was read, so the model was not inserted again.",
      model: "\(type(of: model))", property: property.name, row: model.persistentModelID,
      remedy: "Set the property first, make a new model, or read what may come back before it is deleted.")
  }

  static func modelNotInSchema(_ model: any PersistentModel) -> SwiftDataError { modelNotInSchema(type(of: model)) }

  package static func modelNotInSchema(_ type: any PersistentModel.Type) -> SwiftDataError {
    SwiftDataError(
      .modelNotInSchema, "The container's schema has no entity for this type, \(String(reflecting: type)).",
      model: "\(type)",
      remedy:
        "Add \(type).self to the types the ModelContainer is made for. In a migration, willMigrate has the models of"
        + " the version before, and didMigrate those of the new one.")
  }

  static func unknownEntity(_ identifier: PersistentIdentifier) -> SwiftDataError {
    SwiftDataError(
      .modelNotInSchema, "The identifier is of an entity that the container's schema does not have.",
      model: identifier.entityName, remedy: "Use the container that the identifier comes from.")
  }

  /// A failure to open, with the path and what usually helps.
  package static func opening(_ configuration: ModelConfiguration, _ error: DatabaseError) -> SwiftDataError {
    if error.primaryCode == DatabaseError.notADatabase {
      return unreadable(configuration.url, withKey: (try? configuration.key) != nil, error)
    }
    let remedy: String =
      switch error.primaryCode {
      case _ where error.code == DatabaseError.readOnlyMoved: "Open it again."
      case DatabaseError.cantOpen, DatabaseError.readOnly:
        if configuration.allowsSave {
          error.primaryCode == DatabaseError.readOnly
            ? "Allow writing to the file and its folder, or open with allowsSave: false."
            : "Check that the folder exists and that this user may write to it."
        } else if FileManager.default.fileExists(atPath: configuration.url.path) {
          "Allow this user to read the file. One that is in use, or was not closed, has a write-ahead log, which is "
            + "read by users alone who may write to its folder: open a copy that backup(to:) made."
        } else {
          "Check the path: a store that may only be read must be there."
        }
      case DatabaseError.corrupt: "The file is damaged: restore it from a backup."
      case DatabaseError.busy:
        "Somebody else has been writing to it for longer than busyTimeout, such as a program that migrates it: try again "
          + "when that is done, or give storeOptions a longer busyTimeout."
      case DatabaseError.full: "Make room on the disk."
      case DatabaseError.ioError: "Check that the disk is there and that this user may use the folder."
      default: "Open the file with the sqlite3 shell, to see whether it is sound: PRAGMA integrity_check."
      }
    return loadIssue("\(error)", url: configuration.url, remedy: remedy, underlying: error)
  }
}
