package import Foundation
package import RoostEngine

extension ModelConfiguration {
  /// How a store's connections behave.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration(url: url)
  /// configuration.storeOptions.durability = .full
  /// ```
  public struct StoreOptions: Hashable, Sendable {
    /// What of a save survives a power cut or a crash of the system. A crash of the program never costs anything.
    public enum Durability: Hashable, Sendable {
      /// The file is never damaged, but the last saves may be gone. SQLite calls it `synchronous=NORMAL`.
      case normal
      /// A save is on the disk when it returns. SQLite calls it `synchronous=FULL`.
      case full
      /// The file may be damaged: for data that can be made again. SQLite calls it `synchronous=OFF`.
      case none
    }

    /// What of a save survives a power cut; ``Durability/normal`` unless set.
    public var durability: Durability
    /// How long a fetch or a save waits for other connections' locks before it throws; five seconds unless set.
    public var busyTimeout: Duration
    /// How many bytes of the file to map into memory; 0 for none, 256 MiB unless set.
    ///
    /// A map makes reading faster. An error of the disk under a map ends the program, instead of being thrown.
    public var memoryMapSize: Int
    /// Whether errors tell the values that a statement was given; false unless set, for they may be private.
    public var reportsArguments: Bool
    /// The most bytes of an `.externalStorage` value that is stored in its row; 102,400 (100 KiB) unless set.
    ///
    /// Larger ones get files. What is stored already stays where it is until it is set again.
    public var externalStorageThreshold: Int
    /// How often writes of other programs are looked for while somebody observes; 200 ms unless set, never if zero.
    ///
    /// One timer a store reads a number from shared memory. Writes of the same container need none.
    public var pollingInterval: Duration

    /// From how long on a statement is logged as a slow query, with a warning; nil, for never, unless set.
    ///
    /// ```swift
    /// configuration.storeOptions.slowQueryThreshold = .milliseconds(50)
    /// ```
    /// SQLite counts in milliseconds. What a statement waits for locks is in its time, and what the program does with a
    /// row before it asks for the next.
    public var slowQueryThreshold: Duration?

    /// How a store of an older schema is brought to the program's, and what backup precedes that.
    public var migration: MigrationOptions

    /// What is remembered of changes; nil, for what the file says already, unless set. A new file remembers all, for 90
    /// days.
    public var history: HistoryOptions?

    /// What contexts do with edits of what others have changed since, unless they are given another policy.
    public var mergePolicy: ModelContext.MergePolicy

    /// Where the statements go that the store runs, for tests.
    package var recorder: StatementRecorder?
    /// The name of SQLite's file system (VFS) that the store is in, for tests.
    package var fileSystem: String?

    /// Makes options; what is not given is as for a program's own file.
    public init(
      durability: Durability = .normal, busyTimeout: Duration = .seconds(5), memoryMapSize: Int = 256 << 20,
      reportsArguments: Bool = false, externalStorageThreshold: Int = 100 << 10,
      pollingInterval: Duration = .milliseconds(200), slowQueryThreshold: Duration? = nil,
      migration: MigrationOptions = MigrationOptions(), history: HistoryOptions? = nil,
      mergePolicy: ModelContext.MergePolicy = .ownChangesWin
    ) {
      self.durability = durability
      self.busyTimeout = busyTimeout
      self.memoryMapSize = memoryMapSize
      self.reportsArguments = reportsArguments
      self.externalStorageThreshold = externalStorageThreshold
      self.pollingInterval = pollingInterval
      self.slowQueryThreshold = slowQueryThreshold
      self.migration = migration
      self.history = history
      self.mergePolicy = mergePolicy
    }
  }

  /// How a file is opened for reading that is a copy of the store.
  package func options(forCopy file: URL) throws -> ConnectionOptions {
    ConnectionOptions(
      location: .file(path: file.path), mode: .readOnly, busyTimeout: storeOptions.busyTimeout,
      // A disk that cannot be read is an error to throw, and not a signal, as it would be under a map.
      memoryMapSize: 0, fileSystem: storeOptions.fileSystem, key: try key(of: file))
  }

  /// How the store's connections are opened.
  ///
  /// - Throws: ``SwiftDataError`` when no key can be made of the encryption's passphrase.
  package var connectionOptions: ConnectionOptions {
    get throws {
      try ConnectionOptions(
        location: isStoredInMemoryOnly
          ? .memory(name: url.fragment ?? url.absoluteString) : .file(path: url.path),
        mode: allowsSave || isStoredInMemoryOnly ? .readWriteCreate : .readOnly,
        busyTimeout: storeOptions.busyTimeout,
        synchronous: storeOptions.durability.synchronous,
        memoryMapSize: Int64(storeOptions.memoryMapSize),
        reportsArguments: storeOptions.reportsArguments,
        fileSystem: storeOptions.fileSystem,
        key: key)
    }
  }
}

extension ModelConfiguration.StoreOptions.Durability {
  fileprivate var synchronous: ConnectionOptions.Synchronous {
    switch self {
    case .normal: .normal
    case .full: .full
    case .none: .off
    }
  }
}
