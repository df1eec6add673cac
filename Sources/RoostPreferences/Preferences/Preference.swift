/// A preference as a property.
///
/// ```swift
/// struct Toolbar {
///   @Preference("showsLabels") var showsLabels = true
///   @Preference(.sort) var sort
/// }
///
/// @Observable final class Settings {
///   @ObservationIgnored @Preference("theme") var theme = Theme.system
/// }
/// ```
/// Where an observer reads it, in `withObservationTracking` or a view's body, the observer is told when
/// this or another process changes it. In a class with `@Observable` it stands behind
/// `@ObservationIgnored`, as it is observed by itself.
///
/// A property cannot throw: a value that ``Preferences/set(_:for:)`` would refuse is not set, and stands in
/// ``Preferences/problems``. `try $theme.set(value)` throws.
@propertyWrapper public struct Preference<Value: Codable & Sendable>: Sendable {
  /// The preference's name and default.
  public let key: Preferences.Key<Value>
  /// Where it is kept.
  public let preferences: Preferences

  /// A preference by a name of its own; the property's first value is the default.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value as long as none was set.
  ///   - name: the name in the file.
  ///   - preferences: where it is kept.
  public init(wrappedValue: Value, _ name: String, in preferences: Preferences = .standard) {
    self.init(Preferences.Key(name, default: wrappedValue), in: preferences)
  }

  /// A preference by a key that others use too.
  ///
  /// - Parameters:
  ///   - key: its name and default.
  ///   - preferences: where it is kept.
  public init(_ key: Preferences.Key<Value>, in preferences: Preferences = .standard) {
    (self.key, self.preferences) = (key, preferences)
  }

  /// The value.
  public var wrappedValue: Value {
    get { preferences.value(for: key) }
    nonmutating set { preferences[key] = newValue }
  }

  /// The preference itself, with what a property cannot do.
  public var projectedValue: Preference<Value> { self }

  /// Sets the value, and throws where it does not belong into preferences.
  ///
  /// - Parameter value: the value.
  /// - Throws: what ``Preferences/set(_:for:)`` throws.
  public func set(_ value: Value) throws(PreferencesError) { try preferences.set(value, for: key) }

  /// Removes the value, so that the property has its default again.
  public func reset() { preferences.reset(key) }
}
