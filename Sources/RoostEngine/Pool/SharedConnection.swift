internal import Synchronization

/// The connection of a pool that lends one connection to one thread.
struct SharedConnection: @unchecked Sendable {
  // SAFETY: the connection is handed out on the thread alone that made the pool, which is using it already.
  private let connection: Connection
  private let thread: UInt

  init(_ connection: Connection) {
    self.connection = connection
    thread = PoolWaiter.currentThread
  }

  var isHere: Bool { thread == PoolWaiter.currentThread }

  /// The connection; throws on other threads.
  func get() throws(DatabaseError) -> Connection {
    if isHere { return connection }
    throw Pool.reentrancyError("a connection in the middle of a transaction was asked for on another thread")
  }
}

extension Pool {
  /// The connection of a pool of one thread's work; nil in other pools, and an error once it is closed.
  func sharedConnection() throws(DatabaseError) -> Connection? {
    guard let shared else { return nil }
    if isClosed { throw Self.closedError }
    return try shared.get()
  }
}
