extension Preferences {
  /// A preference's name, type and default.
  ///
  /// ```swift
  /// extension Preferences.Key<Bool> {
  ///   static let showsSidebar = Preferences.Key("showsSidebar", default: true)
  /// }
  /// Preferences.standard[.showsSidebar] = false
  /// ```
  public struct Key<Value: Codable & Sendable>: Sendable {
    /// The name that the file has.
    public let name: String
    /// The value as long as none was set.
    public let defaultValue: Value

    /// A key.
    ///
    /// - Parameters:
    ///   - name: the name in the file. A later version of the program needs the same, or another for another type.
    ///   - defaultValue: the value as long as none was set.
    public init(_ name: String, default defaultValue: Value) {
      (self.name, self.defaultValue) = (name, defaultValue)
    }
  }
}
