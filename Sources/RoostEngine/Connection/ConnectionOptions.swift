/// Where a database is, and how to open it.
package struct ConnectionOptions: Sendable {
  /// Where a database is.
  package enum Location: Sendable, Hashable {
    /// A file. Its directory must exist.
    case file(path: String)
    /// A database in memory, shared by all connections of this process that use the same name.
    case memory(name: String)
  }

  /// What a connection may do with the file.
  package enum Mode: Sendable, Hashable {
    /// Read and write; make the file if there is none.
    case readWriteCreate
    /// Read and write a file that is there.
    case readWrite
    /// Read a file that is there.
    case readOnly
  }

  /// How far a commit goes.
  package enum Synchronous: String, Sendable, Hashable {
    /// Never damaged, but a power cut may take the last commits back.
    case normal = "NORMAL"
    /// A commit is on the disk when it returns.
    case full = "FULL"
    /// Fast, and a power cut may damage the file: for data that can be made again.
    case off = "OFF"
  }

  /// Where the database is.
  package var location: Location
  /// What the connection may do with the file.
  package var mode: Mode
  /// How long a statement waits, in all, for other connections' locks.
  package var busyTimeout: Duration
  /// How far a commit goes.
  package var synchronous: Synchronous
  /// How many bytes of the file to map into memory; 0 for none. An I/O error under a map is a signal, not an error.
  package var memoryMapSize: Int64
  /// The page cache's size, or `nil` for SQLite's own.
  package var cacheKilobytes: Int?
  /// The size of the write-ahead log, in pages, at which a commit moves it into the database; 0 for never.
  package var walAutoCheckpointPages: Int
  /// Whether a file gets a write-ahead log. One that has one keeps it.
  package var makesWriteAheadLog: Bool
  /// Whether foreign keys are enforced.
  package var foreignKeys: Bool
  /// Whether errors and traces carry the values that were bound: useful to a developer, and possibly private.
  package var reportsArguments: Bool
  /// Called as each statement begins to run, and as it ends.
  package var trace: (@Sendable (TraceEvent) -> Void)?
  /// Whether nobody writes the file meanwhile: it is read without locks, without its log, and nothing is put beside it.
  package var isImmutable: Bool
  /// The name of the SQLite file system (VFS) that the file is in, or `nil` for the system's own.
  package var fileSystem: String?
  /// What the file is encrypted with, or `nil` for a file that everybody can read.
  package var key: DatabaseKey?

  /// Makes options with the defaults that suit an application's own file.
  package init(
    location: Location,
    mode: Mode = .readWriteCreate,
    busyTimeout: Duration = .seconds(5),
    synchronous: Synchronous = .normal,
    memoryMapSize: Int64 = 256 << 20,
    cacheKilobytes: Int? = nil,
    walAutoCheckpointPages: Int = 1000,
    makesWriteAheadLog: Bool = true,
    foreignKeys: Bool = true,
    reportsArguments: Bool = false,
    trace: (@Sendable (TraceEvent) -> Void)? = nil,
    isImmutable: Bool = false,
    fileSystem: String? = nil,
    key: DatabaseKey? = .standard
  ) {
    self.location = location
    self.mode = mode
    self.busyTimeout = busyTimeout
    self.synchronous = synchronous
    self.memoryMapSize = memoryMapSize
    self.cacheKilobytes = cacheKilobytes
    self.walAutoCheckpointPages = walAutoCheckpointPages
    self.makesWriteAheadLog = makesWriteAheadLog
    self.foreignKeys = foreignKeys
    self.reportsArguments = reportsArguments
    self.trace = trace
    self.isImmutable = isImmutable
    self.fileSystem = fileSystem
    if case .file = location { self.key = key }
  }
}
