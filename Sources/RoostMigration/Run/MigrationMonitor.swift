import RoostEngine
import Synchronization

/// Tells whoever waits for a migration how far it is, and ends it when nobody waits any more.
final class MigrationMonitor: Sendable {
  private struct State {
    var stage: String?
    var phase = MigrationProgress.Phase.backup
    var start = ContinuousClock.now
    var isCancelled = false
    var interrupt: InterruptHandle?
  }

  private let state = Mutex(State())
  private let report: @Sendable (MigrationProgress) -> Void

  init(_ report: @escaping @Sendable (MigrationProgress) -> Void) { self.report = report }

  /// Has the migration end with an error, also in the middle of a statement.
  func cancel() {
    let interrupt = state.withLock { state in
      state.isCancelled = true
      return state.interrupt
    }
    interrupt?.interrupt()
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Notes whose statements a cancellation interrupts.
  func watch(_ connection: Connection) { state.withLock { $0.interrupt = connection.interruptHandle } }

  func enter(stage: String?) { state.withLock { $0.stage = stage } }

  /// - Throws: `CancellationError` once the migration was cancelled.
  func begin(_ phase: MigrationProgress.Phase, total: Int = 0) throws {
    state.withLock { state in
      state.phase = phase
      state.start = .now
    }
    try advance(to: 0, of: total)
  }

  func advance(to completed: Int, of total: Int) throws {
    let (progress, isCancelled) = state.withLock { state in
      (
        MigrationProgress(
          stage: state.stage, phase: state.phase, completed: completed, total: total,
          elapsed: ContinuousClock.now - state.start),
        state.isCancelled
      )
    }
    if isCancelled { throw CancellationError() }
    report(progress)
  }
}
