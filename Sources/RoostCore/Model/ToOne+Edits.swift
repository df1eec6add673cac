import RoostSQL

// What edits do to a to-one slot.
extension ToOneReference {
  /// The key, or the model of an owner that is in no context.
  var found: _SlotEdit.Found {
    if let object { return .model(object) }
    return isLoaded && key != 0 ? .key(key) : .nothing
  }

  /// nil when it was not read, and outside of contexts.
  var column: SQLValue? {
    if object != nil || !isLoaded { return nil }
    return key == 0 ? .null : .integer(key)
  }

  /// `key`: 0 for a model that is in no context.
  mutating func refer(
    to model: any PersistentModel, key: Int64, accepts type: @autoclosure () -> any PersistentModel.Type
  ) {
    if key != 0 {
      self = ToOneReference(key: key)
    } else if model.isInstance(of: type()) {
      self = ToOneReference(object: model)
    }
  }

  mutating func remove(_ model: any PersistentModel, key: Int64) {
    if object === model || (object == nil && key != 0 && self.key == key) { self = ToOneReference(key: 0) }
  }

  /// Replaces the target by its key, and returns it.
  mutating func enterContext() -> (any PersistentModel)? {
    guard let object else { return nil }
    if object._$isDuplicate {
      self = ToOneReference(object: object._$registered)
      return enterContext()
    }
    self = ToOneReference(key: object._$temporaryKey())
    return object
  }

  mutating func leaveContext(_ model: (Int64) -> HeldModel?) {
    let target = isLoaded && key != 0 ? model(key) : nil
    self = ToOneReference(held: object.map { .unlinked($0) } ?? target)
  }

  mutating func endSave(_ permanent: PermanentKeys) {
    if object == nil { key = permanent[key] }
  }
}
