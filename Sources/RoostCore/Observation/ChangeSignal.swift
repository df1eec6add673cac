import Synchronization

/// What has results to bring up to date; belongs to an actor, or to nobody in particular.
package protocol ChangeObserver: AnyObject {
  /// Called where the observer belongs, after something may have changed.
  func changesArrived()
}

/// Several writes, as they concern one query.
package struct OthersWrites {
  /// The query's tables that were written to.
  package private(set) var tables: Set<String> = []
  /// The rows; nil where any may have changed.
  package private(set) var writes: [WrittenRows]? = []
  private var count = 0

  package init() {}

  /// Whether a row of one of these classes may be among those that were written.
  package func mayInclude(_ key: Int64, of ordinals: Set<Int>) -> Bool {
    writes?.contains { $0.includes(key, of: ordinals) } ?? true
  }

  /// Adds what came later.
  package mutating func add(_ later: OthersWrites) {
    tables.formUnion(later.tables)
    count += later.count
    if let new = later.writes, count <= WrittenRows.mostRows { writes?.append(contentsOf: new) } else { writes = nil }
  }

  /// `concerned`: which of the query's tables it wrote to.
  mutating func add(_ written: WrittenRows, _ concerned: Set<String>) {
    tables.formUnion(concerned)
    count += written.count
    if count > WrittenRows.mostRows || !(written.unknown?.isDisjoint(with: concerned) ?? false) { writes = nil }
    writes?.append(written)
  }
}

/// Carries the news of changes from any thread to an observer. It keeps nobody alive.
package final class ChangeSignal: WriteListener, @unchecked Sendable {
  // SAFETY: `observer` is set before the signal is handed on, and then only used on the actor that it belongs to. All
  // else is immutable, atomic or guarded by a Mutex.

  /// Where the observer is told; nil when it only looks by itself.
  private weak let actor: (any Actor)?
  private weak var observer: (any ChangeObserver)?
  /// The context whose own saves the observer knows of; nil for none.
  private let own: ObjectIdentifier?
  private let state = Mutex(State())
  /// Whether others wrote to the observer's tables since it asked. Apart, as this is asked at each look at the results.
  private let isStale = Atomic<Bool>(false)
  /// Whether others wrote anything since the observer asked.
  private let othersWrote = Atomic<Bool>(false)
  private let isScheduled = Atomic<Bool>(false)
  /// Those who wait until the observer may have something new.
  private let waiters = Mutex<[Reference]>([])
  /// Whether the observer is still to be told, for tests.
  package var isOnItsWay: Bool { isScheduled.load(ordering: .acquiring) }

  private struct Reference { weak var waiter: ChangeWaiter? }

  private struct State {
    /// What the observer's query reads.
    var tables: Set<String> = []
    /// What others wrote to them since the observer asked.
    var written = OthersWrites()
  }

  package init(actor: (any Actor)?, own: ContextCore?) {
    self.actor = actor
    self.own = own.map { ObjectIdentifier($0) }
  }

  package func attach(_ observer: any ChangeObserver) { self.observer = observer }

  package func watch(_ tables: Set<String>) { state.withLock { $0.tables = tables } }

  /// Notes a write by others.
  package func note(_ written: WrittenRows, by writer: ObjectIdentifier?) {
    if let own, writer == own { return }
    state.withLock { state in
      let concerned = written.tables.map(state.tables.intersection) ?? state.tables
      if concerned.isEmpty { return }
      state.written.add(written, concerned)
      isStale.store(true, ordering: .releasing)
    }
    othersWrote.store(true, ordering: .releasing)
    schedule()
  }

  /// Whether others wrote to tables of the query since ``takeWritten()``.
  package var hasWritten: Bool { isStale.load(ordering: .acquiring) }

  /// What others wrote to tables of the query since this was last asked.
  package func takeWritten() -> OthersWrites {
    guard hasWritten else { return OthersWrites() }
    return state.withLock { state in
      isStale.store(false, ordering: .releasing)
      defer { state.written = OthersWrites() }
      return state.written
    }
  }

  package func takeOthersWrote() -> Bool { othersWrote.exchange(false, ordering: .acquiringAndReleasing) }

  /// Has the observer told on its actor, after the code that runs there now has returned or awaits something.
  func schedule() {
    guard let actor else { return wakeWaiters() }
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task.begin(on: actor) { [self] actor in deliver(on: actor) }
  }

  package func add(_ waiter: ChangeWaiter) {
    waiters.withLock { waiters in
      waiters.removeAll { $0.waiter == nil }
      waiters.append(Reference(waiter: waiter))
    }
  }

  /// Whether anybody waits, or may wait.
  package var hasWaiters: Bool { waiters.withLock { $0.contains { $0.waiter != nil } } }

  package func wakeWaiters() {
    for waiter in waiters.withLock({ $0.compactMap(\.waiter) }) { waiter.wake() }
  }

  private func deliver(on actor: isolated any Actor) {
    // First, so that what comes during the observer's turn gives it another one.
    isScheduled.store(false, ordering: .releasing)
    observer?.changesArrived()
  }
}
