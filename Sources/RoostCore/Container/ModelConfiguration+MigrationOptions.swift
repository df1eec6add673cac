public import Foundation

extension ModelConfiguration {
  /// How a store of an older schema is brought to the program's, and what backup precedes that.
  ///
  /// ```swift
  /// configuration.storeOptions.migration.mayDrop = ["Note.subtitle", "Draft"]
  /// configuration.storeOptions.migration.backups = .newest(3)
  /// ```
  public struct MigrationOptions: Hashable, Sendable {
    /// How many backups of a store, each made before a migration and checked, are kept.
    public enum Backups: Hashable, Sendable {
      /// None is made. Those that are there stay.
      case none
      /// The one made before a migration is removed by the next opening that needs no migration.
      case untilNextOpening
      /// So many are kept for good. Older ones are removed by the next opening that needs no migration.
      case newest(Int)
    }

    /// What becomes of values that the program does not declare any more, where no plan says so.
    public enum Drops: Hashable, Sendable {
      /// They go, as with SwiftData: a warning in the log names them and the backup, which is
      /// kept until somebody removes it.
      ///
      /// What looks renamed, and what an older program does not know yet, is refused.
      case allow
      /// The store is not opened.
      case refuse
    }

    /// What may go with all it holds, whatever it looks like: models and properties, by the names in the store.
    ///
    /// It goes without a warning, also where something new looks the same, or the program is an older one.
    public var mayDrop: Set<String>
    /// What becomes of other values that the program does not declare any more; ``Drops/allow`` unless set.
    public var drops: Drops
    /// How many backups are kept; ``Backups/untilNextOpening`` unless set.
    ///
    /// While migrations fail and are tried again, there may be one more.
    public var backups: Backups
    /// The folder that backups are made in, as needed; nil, for the store's own, unless set.
    ///
    /// Stores whose files have the same name need folders of their own.
    public var backupFolder: URL?

    /// Whether what `.backfill` steps have left to do is done on a thread of its own; true unless set.
    ///
    /// Otherwise ``ModelContainer/finishBackfills()`` does it.
    public var backfillsInBackground: Bool

    /// Says how much room a disk has, for tests.
    package var freeSpace: FreeSpace?

    /// Whether the store is a copy that is thrown away, whose losses are none.
    package var isRehearsal = false

    /// Makes options; what is not given is as for a program's own file.
    public init(
      mayDrop: Set<String> = [], drops: Drops = .allow, backups: Backups = .untilNextOpening, backupFolder: URL? = nil,
      backfillsInBackground: Bool = true
    ) {
      self.mayDrop = mayDrop
      self.drops = drops
      self.backups = backups
      self.backupFolder = backupFolder
      self.backfillsInBackground = backfillsInBackground
    }
  }
}

extension ModelConfiguration.MigrationOptions.Backups {
  /// Whether a backup precedes a migration.
  package var isMade: Bool {
    switch self {
    case .none: false
    case .untilNextOpening: true
    case .newest(let count): count > 0
    }
  }

  /// How many are there before another is made: those of migrations that were cut off would fill the disk.
  package var keptBefore: Int {
    switch self {
    case .none: .max
    case .untilNextOpening: 1
    case .newest(let count): max(1, count)
    }
  }

  /// How many an opening without a migration leaves.
  package var keptAfterOpening: Int {
    switch self {
    case .none: .max
    case .untilNextOpening: 0
    case .newest(let count): max(0, count)
    }
  }
}
