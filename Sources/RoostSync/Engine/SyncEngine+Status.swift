import Foundation
import Logging
import Observation
import RoostCore
import SyncMerge
import Synchronization

// What programs see of it: the status, events, and those who wait.
extension SyncEngine {
  func updateStatus(after event: SyncCore.Event) async {
    let counts = await counts(after: event)
    let (phase, isIdle, former) = state.withLock { ($0.core.phase, $0.core.isIdle, $0.status) }
    var status = former
    if let counts {
      status.waitingChanges = Int(
        counts.pending + counts.sent + counts.transactions + counts.tooLarge + counts.unseen)
      status.waitingRows = Int(counts.collected)
      status.oldestChange = counts.oldest
    }
    if case .pushed(isEmpty: false, _) = event { status.lastAcknowledgement = Date() }
    recordComparison(event, in: &status)
    status.phase = SyncStatus.Phase(phase, isIdle: isIdle, counts)
    status.error = error(of: status.phase)
    let (new, waiters, failure) = state.withLock { state -> (SyncStatus, [Waiter], (any Error)?) in
      if state.isEnded { return (state.status, [], nil) }
      state.status = status
      state.status = state.status(isWritten: isWritten.load(ordering: .acquiring))
      let status = state.status
      let hasFailed = if case .failed = event { state.core.phase.isWaiting } else { false }
      let isDone = isIdle && !isWritten.load(ordering: .acquiring)
      guard isDone || hasFailed else { return (status, [], nil) }
      let tooLarge = counts.flatMap {
        $0.tooLarge > 0 ? SyncError.tooLarge($0.tooLargeReason) : nil
      }
      let told: (any Error)? = state.failure.map { SyncError.told($0, state.core.phase) }
      let waiters = state.takeWaiters(after: hasFailed)
      // Who has come since then waits for what is asked from here on.
      if !state.waiters.isEmpty { coreContinuation.yield(.resume) }
      return (status, waiters, hasFailed ? told : tooLarge)
    }
    if new != former {
      registrar.withMutation(of: self, keyPath: \.status) {}
      tell(.status(new))
    }
    for waiter in waiters {
      if let failure { waiter.continuation.resume(throwing: failure) } else { waiter.continuation.resume() }
    }
  }

  /// What waits; nil where nobody counts it, as more comes at once.
  private func counts(after event: SyncCore.Event) async -> SyncCounts? {
    let start = ContinuousClock.now
    guard state.withLock({ $0.countingPauses.isDue(at: start, after: event) || $0.core.phase == .paused }) else {
      return nil
    }
    let counts = try? await onQueue { try $0.counts() }
    state.withLock { $0.countingPauses.note(start: start, end: .now) }
    return counts
  }

  /// What is in the way; nil for nothing.
  private func error(of phase: SyncStatus.Phase) -> SyncError? {
    let (failure, core) = state.withLock { ($0.failure.map { SyncError($0) }, $0.core.phase) }
    switch (phase, core) {
    case (.waiting, _): return failure
    // In the words that the phase has.
    case (.blocked(let reason), .blocked):
      guard let failure, "\(failure)" == reason else { return .blocked(reason) }
      return failure
    // The core has nothing left to do.
    case (.blocked(let reason), _): return .tooLarge(reason)
    default: return nil
    }
  }

  /// Notes what came of comparing the rows with the server's.
  private func recordComparison(_ event: SyncCore.Event, in status: inout SyncStatus) {
    switch event {
    case .compared(.same): status.differingModels = []
    case .compared(.differs(let models, _)):
      status.differingModels = models
      logger.error("The store is not what the server has", metadata: ["models": "\(models.joined(separator: ", "))"])
      tell(.differs(models: models))
    default: break
    }
  }

  func tell(of answer: SyncAnswer, to request: SyncRequest) {
    switch (answer, request) {
    case (.push, .push(let push, _)):
      tell(.sent(rows: push.edits.count))
    case (.page(let page), _):
      if !page.records.isEmpty { tell(.received(rows: page.records.count)) }
    default: break
    }
    let conflicts = synced.takeNewConflicts()
    if conflicts > 0 { tell(.conflicts(conflicts)) }
  }

  private func tell(_ event: SyncEvent) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }
}
