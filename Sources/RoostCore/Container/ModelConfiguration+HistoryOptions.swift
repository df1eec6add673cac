extension ModelConfiguration {
  /// What a store remembers of its changes; see ``ModelContext/fetchHistory(_:)``.
  ///
  /// ```swift
  /// configuration.storeOptions.history = .off
  /// ```
  public struct HistoryOptions: Hashable, Sendable {
    /// Whether changes are recorded: by this program, and by others that write to the file.
    public var isRecorded: Bool
    /// The names of entities whose changes are not recorded.
    public var excludedEntities: Set<String>

    /// Makes options; what is not given is as for a program's own file.
    public init(isRecorded: Bool = true, excludedEntities: Set<String> = []) {
      self.isRecorded = isRecorded
      self.excludedEntities = excludedEntities
    }

    /// Nothing is recorded. What was recorded before stays.
    public static var off: Self { Self(isRecorded: false) }

    /// Records the changes of all models but some.
    public static func excluding(_ models: any PersistentModel.Type...) -> Self {
      Self(excludedEntities: Set(models.map { $0.entityName }))
    }
  }
}
