internal import SQLiteLibrary
internal import Dispatch
internal import Synchronization

/// A thread that waits for its turn in a pool.
final class PoolWaiter: Sendable {
  /// Why a wait ended.
  enum Outcome: Sendable {
    /// Here is a connection, already entered in the pool's books under the waiting thread.
    case connection(PooledConnection)
    /// The situation changed: look again.
    case proceed
  }

  /// The waiting thread.
  let thread: UInt
  private let semaphore = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Outcome?>(nil)

  init(thread: UInt) {
    self.thread = thread
  }

  /// Ends the wait.
  func resume(_ result: Outcome) {
    outcome.withLock { $0 = result }
    semaphore.signal()
  }

  /// Waits for `resume`, however long.
  func wait() -> Outcome {
    semaphore.wait()
    return outcome.withLock { $0 } ?? .proceed
  }

  /// Waits for `resume`; `nil` if the task was cancelled meanwhile.
  func waitUnlessCancelled() -> Outcome? {
    while !Task.isCancelled {
      if semaphore.wait(timeout: .now() + .milliseconds(20)) == .success { return outcome.withLock { $0 } ?? .proceed }
    }
    return nil
  }

  /// A number for the calling thread that no other living thread has.
  static var currentThread: UInt { UInt(roost_current_thread()) }
}
