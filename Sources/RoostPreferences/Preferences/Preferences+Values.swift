import Observation
import Synchronization

extension Preferences {
  /// A value; setting it here refuses silently what ``set(_:for:)`` throws for, and notes that in ``problems``.
  ///
  /// - Parameter key: the value's key.
  public subscript<Value>(_ key: Key<Value>) -> Value {
    get { value(for: key) }
    set {
      do {
        try set(newValue, for: key)
      } catch {
        report(error)
      }
    }
  }

  /// Gets a value.
  ///
  /// - Parameter key: its key.
  /// - Returns: the value; the key's default if none was set, or one of another type.
  public func value<Value>(for key: Key<Value>) -> Value {
    registrar.access(self, keyPath: \.[observed: key.name])
    guard let stored = state.withLock({ $0.values[key.name] }) else { return key.defaultValue }
    if let known = stored.known(as: Value.self) { return known }
    do {
      let value = try stored.decoded(as: Value.self)
      // The former value comes out of the lock, as it may be an object of the program's
      // whose deinit uses the preferences.
      _ = state.withLock { state -> StoredPreference? in
        guard let former = state.values[key.name], former.json == stored.json else { return nil }
        state.values[key.name]?.remember(value)
        return former
      }
      return value
    } catch {
      // The decoder's own error may have the value in it.
      report(
        PreferencesError(
          .otherType, "The preference '\(key.name)' is no \(Value.self), so its default is used.",
          remedy: "Set it, which replaces what is there, or give the new type another name.", key: key.name,
          url: storage.url))
      return key.defaultValue
    }
  }

  /// Sets a value, and throws where it does not belong here: then the former one stays.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  /// - Throws: ``PreferencesError/valueTooLarge``, ``PreferencesError/totalTooLarge`` or
  ///   ``PreferencesError/notEncodable``.
  public func set<Value>(_ value: Value, for key: Key<Value>) throws(PreferencesError) {
    let stored: StoredPreference
    do {
      stored = try StoredPreference(encoding: value)
    } catch {
      throw PreferencesError(
        .notEncodable, "The \(Value.self) for the preference '\(key.name)' cannot be encoded as JSON.",
        remedy: "Look at its `encode(to:)`, and for a number that is not finite.", key: key.name)
    }
    try check(stored, key.name)
    change([key.name: stored])
  }

  /// Removes a value, so that its key has its default again.
  ///
  /// - Parameter key: the value's key.
  public func reset<Value>(_ key: Key<Value>) { change([key.name: nil]) }

  /// Whether a value was set, and not reset since.
  ///
  /// - Parameter key: the value's key.
  /// - Returns: whether there is one, of whatever type.
  public func isSet<Value>(_ key: Key<Value>) -> Bool {
    registrar.access(self, keyPath: \.[observed: key.name])
    return state.withLock { $0.values[key.name] != nil }
  }
}
