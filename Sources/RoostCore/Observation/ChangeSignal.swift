import Synchronization

/// What has results to bring up to date; belongs to an actor, or to nobody in particular.
package protocol ChangeObserver: AnyObject {
  /// Called where the observer belongs, after something may have changed.
  func changesArrived()
}

/// Carries the news of changes from any thread to an observer. It keeps nobody alive.
package final class ChangeSignal: WriteListener, @unchecked Sendable {
  // SAFETY: `observer` is set before the signal is handed on, and then only used on the actor that it belongs to. All
  // else is immutable, atomic or guarded by a Mutex.

  /// Where the observer is told; nil when it only looks by itself.
  private weak let actor: (any Actor)?
  private weak var observer: (any ChangeObserver)?
  /// The context whose own saves the observer knows of.
  private let own: ObjectIdentifier
  private let state = Mutex(State())
  /// Whether others wrote to the observer's tables since it asked. Apart, as this is asked at each look at the results.
  private let isStale = Atomic<Bool>(false)
  /// Whether others wrote anything since the observer asked.
  private let othersWrote = Atomic<Bool>(false)
  private let isScheduled = Atomic<Bool>(false)
  /// Those who wait until the observer may have something new.
  private let waiters = Mutex<[Reference]>([])
  /// Whether the observer is still to be told, for tests.
  var isOnItsWay: Bool { isScheduled.load(ordering: .acquiring) }

  private struct Reference { weak var waiter: ChangeWaiter? }

  private struct State {
    /// What the observer's query reads.
    var tables: Set<String> = []
    /// Those of them that others wrote to since the observer asked.
    var written: Set<String> = []
  }

  package init(actor: (any Actor)?, own: ContextCore) {
    self.actor = actor
    self.own = ObjectIdentifier(own)
  }

  package func attach(_ observer: any ChangeObserver) { self.observer = observer }

  package func watch(_ tables: Set<String>) { state.withLock { $0.tables = tables } }

  /// Notes a write by others.
  package func note(_ written: WrittenRows, by writer: ObjectIdentifier?) {
    if writer == own { return }
    state.withLock { state in
      let concerned = written.tables.map(state.tables.intersection) ?? state.tables
      if concerned.isEmpty { return }
      state.written.formUnion(concerned)
      isStale.store(true, ordering: .releasing)
    }
    othersWrote.store(true, ordering: .releasing)
    schedule()
  }

  /// The tables of the query that others wrote to since this was last asked.
  package func takeWritten() -> Set<String> {
    guard isStale.load(ordering: .acquiring) else { return [] }
    return state.withLock { state in
      isStale.store(false, ordering: .releasing)
      defer { state.written = [] }
      return state.written
    }
  }

  package func takeOthersWrote() -> Bool { othersWrote.exchange(false, ordering: .acquiringAndReleasing) }

  /// Has the observer told on its actor, after the code that runs there now has returned or awaits something.
  func schedule() {
    guard let actor else { return wakeWaiters() }
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { await deliver(on: actor) }
  }

  package func add(_ waiter: ChangeWaiter) {
    waiters.withLock { waiters in
      waiters.removeAll { $0.waiter == nil }
      waiters.append(Reference(waiter: waiter))
    }
  }

  package func wakeWaiters() {
    for waiter in waiters.withLock({ $0.compactMap(\.waiter) }) { waiter.wake() }
  }

  private func deliver(on actor: isolated any Actor) {
    // First, so that what comes during the observer's turn gives it another one.
    isScheduled.store(false, ordering: .releasing)
    observer?.changesArrived()
  }
}
