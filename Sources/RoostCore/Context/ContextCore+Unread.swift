import RoostEngine

// Properties that could not be read, and showed a default or nothing in place of what the store has.
extension ContextCore {
  struct UnreadProperty: Hashable {
    private let ordinal: Int
    private let key: Int64
    private let index: Int

    init(_ model: any PersistentModel, _ index: Int) {
      (ordinal, key, self.index) = (model._$state.ordinal, model._$state.key, index)
    }
  }

  /// Notes that the database failed as a property was read.
  ///
  /// A bad value or a lost file is no such failure: setting the property anew is what helps there.
  func noteUnread(_ model: any PersistentModel, _ index: Int, _ error: any Error) {
    guard let error = error as? DatabaseError, error != .poolIsClosed else { return }
    unread[UnreadProperty(model, index)] = error
  }

  /// Has the next save throw once if a property is such, as it changes: it may become what was made of the default.
  func reportUnread(_ model: any PersistentModel, _ index: Int) {
    guard let error = unread.removeValue(forKey: UnreadProperty(model, index)) else { return }
    context?.report(.unread(changed: model, schema.entities[model._$state.ordinal].properties[index], error))
  }

  /// Notes that the program knows what the store has.
  func noteRead(_ model: any PersistentModel, _ index: Int) {
    if !unread.isEmpty { unread[UnreadProperty(model, index)] = nil }
  }
}

extension SwiftDataError {
  fileprivate static func unread(
    changed model: any PersistentModel, _ property: PropertyInfo, _ error: DatabaseError
  ) -> SwiftDataError {
    SwiftDataError(
      .modelValidationFailure,
      "The property was changed after the store could not be read and it showed a default: \(reading(error).message)",
      model: "\(type(of: model))", property: property.name, row: model.persistentModelID,
      remedy: "Roll back and edit the model anew; or, if its values are right, save again.", underlying: error)
  }
}
