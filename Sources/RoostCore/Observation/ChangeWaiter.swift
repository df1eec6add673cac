import Synchronization

/// Has a task wait until there may be something new, without a thread of its own and without keeping anybody alive.
package final class ChangeWaiter: Sendable {
  private struct State {
    /// Whether something came while nobody waited.
    var isWoken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Has those go on who wait, or who will wait next.
  package func wake() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isWoken = state.waiting.isEmpty
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns after a `wake()` since the last wait, or when the task is cancelled. There may be nothing new.
  package func wait(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // A task is cancelled before its handlers run, so that one of them finds the continuation at the latest.
          if state.isWoken || Task.isCancelled {
            state.isWoken = false
            return true
          }
          state.waiting.append(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }
}
