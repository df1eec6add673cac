extension ModelConfiguration {
  /// What a store remembers of its changes; see ``ModelContext/fetchHistory(_:)``.
  ///
  /// ```swift
  /// configuration.storeOptions.history = .off
  /// ```
  /// A new file remembers all changes, for 90 days. A file keeps what was said last, also while programs
  /// have it open that say nothing.
  public struct HistoryOptions: Hashable, Sendable {
    /// Whether changes are recorded: by this program, and by others that write to the file.
    public var isRecorded: Bool
    /// The names of entities whose changes are not recorded.
    public var excludedEntities: Set<String>
    /// How old a transaction becomes before it is deleted; 90 days unless set, nil for ever.
    ///
    /// Looked at when a store is closed, and every 4,096 transactions while it is open. It is not done while a
    /// ``HistoryConsumer`` has yet to read it. A token of an earlier place has expired then.
    public var maximumAge: Duration?
    /// How many transactions are kept, besides those that a consumer has yet to read; 100,000 unless set, nil for all.
    ///
    /// Looked at when a store is closed, and every 4,096 transactions while it is open.
    public var maximumCount: Int?
    /// How old a transaction becomes that a ``HistoryConsumer`` has yet to read; a year unless set, nil for ever.
    ///
    /// So a consumer that never comes back does not have history kept for ever.
    public var maximumUnreadAge: Duration?

    /// Makes options that record; what is not given is as for a program's own file.
    public init(
      isRecorded: Bool = true, excludedEntities: Set<String> = [], maximumAge: Duration? = .seconds(90 * 86_400),
      maximumCount: Int? = 100_000, maximumUnreadAge: Duration? = .seconds(365 * 86_400)
    ) {
      self.isRecorded = isRecorded
      self.excludedEntities = excludedEntities
      self.maximumAge = maximumAge
      self.maximumCount = maximumCount
      self.maximumUnreadAge = maximumUnreadAge
    }

    /// All changes are recorded.
    public static var on: Self { Self() }

    /// Nothing is recorded any more, by no program. What was recorded before stays.
    public static var off: Self { Self(isRecorded: false) }

    /// Records the changes of all models but some.
    public static func excluding(_ models: any PersistentModel.Type...) -> Self {
      Self(excludedEntities: Set(models.map { $0.entityName }))
    }
  }
}
