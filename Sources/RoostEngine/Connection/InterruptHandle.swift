internal import SQLiteLibrary
internal import Synchronization

/// Stops what a connection is doing, from any thread; does nothing once the connection is closed.
package final class InterruptHandle: Sendable {
  /// The C connection, as a number: pointers are not `Sendable`.
  private let database: Mutex<UInt>
  private let requests = Atomic<UInt>(0)

  init(_ database: OpaquePointer) {
    self.database = Mutex(UInt(bitPattern: database))
  }

  /// Makes the running statement, or its wait for a lock, fail with `DatabaseError.interrupt`.
  package func interrupt() {
    database.withLock { address in
      // SAFETY: the connection is closed only after `invalidate()`, which waits for this lock, and SQLite allows this
      // one call from any thread.
      guard let database = OpaquePointer(bitPattern: address) else { return }
      requests.wrappingAdd(1, ordering: .relaxed)
      sqlite3_interrupt(database)
    }
  }

  /// Counts the interrupts so far, for a wait to notice that one was added since its statement began.
  var generation: UInt { requests.load(ordering: .relaxed) }

  /// Forgets the connection, which is about to be closed.
  func invalidate() {
    database.withLock { $0 = 0 }
  }
}
