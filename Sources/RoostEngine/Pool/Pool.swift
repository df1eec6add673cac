internal import Synchronization

/// Readers and one writer over one database, for many threads.
///
/// A thread that has to wait is blocked until it is its turn, in the order of arrival, or until its task is cancelled.
/// Within `write`, or to write within `read`, the pool throws rather than waits for a connection that the same thread
/// already has; `read` within `read` gets the same connection again.
package final class Pool: Sendable {
  package let options: ConnectionOptions
  /// The file that the first connection opened; nil for none.
  private let file: FileIdentity?
  let maximumReaders: Int
  let prepare: @Sendable (Connection) throws -> Void
  let prepareReader: @Sendable (Connection) throws -> Void
  let state: Mutex<PoolState>
  /// The connection that everybody gets, in a pool of one thread's work.
  let shared: SharedConnection?

  /// Opens the writer; readers are opened when they are needed. `prepare` gets each new connection first, and
  /// `prepareReader` then those that only read.
  package init(
    _ options: ConnectionOptions, maximumReaders: Int = 5,
    prepare: @escaping @Sendable (Connection) throws -> Void = { _ in },
    prepareReader: @escaping @Sendable (Connection) throws -> Void = { _ in }
  ) throws {
    let writer = try Connection.open(options)
    var options = options
    // The path given may come to lead to another file: a link does, and one from the current directory.
    if let path = writer.filePath { options.location = .file(path: path) }
    file = writer.filePath.flatMap { FileIdentity(path: $0) }
    self.options = options
    self.maximumReaders = max(1, maximumReaders)
    self.prepare = prepare
    self.prepareReader = prepareReader
    try prepare(writer)
    var state = PoolState()
    state.writer = PooledConnection(writer)
    self.state = Mutex(state)
    shared = nil
  }

  /// Makes a pool of one connection, which the thread that makes it uses for reading and writing, in any order.
  ///
  /// So code made for pools works within a transaction that is under way: its own transactions become savepoints.
  /// Closing the pool leaves the connection open. Other threads get errors.
  package init(sharing connection: Connection) {
    options = connection.options
    file = nil
    maximumReaders = 1
    prepare = { _ in }
    prepareReader = { _ in }
    state = Mutex(PoolState())
    shared = SharedConnection(connection)
    connection.nestsTransactions = true
  }

  /// Whether all use one connection, within a transaction of somebody else.
  package var isShared: Bool { shared != nil }

  /// Whether `close()` has begun.
  package var isClosed: Bool { state.withLock { $0.phase != .open } }

  /// How many connections for reading are open, except those checked out.
  package var readerCount: Int { state.withLock { $0.readerCount } }

  /// Opens a connection for the pool.
  func open(queryOnly: Bool) throws -> Connection {
    var options = options
    // The writer made the file. If it has vanished since, an empty one in its place would hide that.
    if options.isFile, options.mode == .readWriteCreate { options.mode = .readWrite }
    let connection = try openFile(options)
    try prepare(connection)
    if queryOnly { try makeReader(connection) }
    return connection
  }

  /// How many threads wait for a connection.
  package var waiterCount: Int { state.withLock { $0.readWaiters.count + $0.writeWaiters.count } }

  /// Has a connection without temporary tables and views be one that only reads.
  func makeReader(_ connection: Connection) throws {
    // Large results are sorted faster in pieces that fit into the processor's cache, which SQLite only does where it
    // may put them into a file, and they need no memory there. A database in memory leaves nothing on a disk.
    try connection.sortInFiles(true)
    // That would have dropped temporary views.
    try prepareReader(connection)
    try connection.execute("PRAGMA query_only=1")
  }

  /// Opens the file that the other connections have, and no other one that came to its place.
  private func openFile(_ options: ConnectionOptions) throws(DatabaseError) -> Connection {
    guard let file, case .file(let path) = options.location else { return try Connection.open(options) }
    do throws(DatabaseError) {
      let connection = try Connection.open(options)
      if FileIdentity(path: path) == file { return connection }
      connection.close()
    } catch {
      if FileIdentity(path: path) == file { throw error }
    }
    throw .fileMoved(path)
  }

  /// Makes a connection that was used ready for the next user; false if it must not be used again.
  func recycle(_ connection: Connection) -> Bool {
    guard !connection.isClosed else { return false }
    // A statement left in the middle of its rows would keep an old view of the database for whoever comes next.
    connection.resetStatements()
    connection.rollback()
    return !connection.isInTransaction
  }

  /// What a closed pool throws.
  static var closedError: DatabaseError { .poolIsClosed }

  /// What a wait that was cancelled throws.
  static var cancelledError: DatabaseError {
    DatabaseError(code: DatabaseError.interrupt, message: "waiting for a database connection was cancelled")
  }

  /// What using a connection within the use of another throws.
  static func reentrancyError(_ message: String) -> DatabaseError {
    DatabaseError(code: DatabaseError.locked, message: message)
  }
}
