extension ModelConfiguration {
  /// How a store of an older schema is brought to the program's.
  ///
  /// ```swift
  /// configuration.storeOptions.migration.mayDrop = ["Note.subtitle", "Draft"]
  /// ```
  public struct MigrationOptions: Hashable, Sendable {
    /// What may go with all it holds, though no stage says so: models and properties, by the names in the store.
    ///
    /// Without it, or a stage of a plan, a store that has values which the program does not declare is refused.
    public var mayDrop: Set<String>

    /// Makes options; what is not given is as for a program's own file.
    public init(mayDrop: Set<String> = []) {
      self.mayDrop = mayDrop
    }
  }
}
