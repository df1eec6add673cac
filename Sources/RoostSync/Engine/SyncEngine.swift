import Foundation
import Logging
public import Observation
package import RoostCore
import SyncMerge
import Synchronization

/// Keeps a container's store and its server the same: sends what programs change, and shows what others changed.
///
/// ```swift
/// let sync = container.sync
/// print(sync?.status)
/// try await sync?.now()
/// ```
/// It works by itself from when the container is made until its store is closed. Without a network all works on: what
/// was changed meanwhile is sent later.
public final class SyncEngine: Observable, Sendable {
  struct State {
    var core = SyncCore()
    var status = SyncStatus()
    /// What the last failure was.
    var failure: (any Error)?
    /// The server's time of the last clock that was put right, in milliseconds since 1970.
    var serverTime: UInt64 = 0
    var waiters: [UUID: Waiter] = [:]
    /// How many things were begun to be done.
    var attempts = 0
    var listeners: [UUID: AsyncStream<SyncEvent>.Continuation] = [:]
    var tasks: [Task<Void, Never>] = []
    var timer: Task<Void, Never>?
    /// What is being done.
    var work: Task<Void, Never>?
    /// Listens to the server.
    var heads: Task<Void, Never>?
    /// The zone that is listened to, also while it is paused; nil before a session.
    var zone: String?
    var isEnded = false
    var countingPauses = CountingPauses()

    /// The status, which is up to date only while nothing is left to do. `isWritten`: whether a program
    /// has written since it was noted.
    func status(isWritten: Bool) -> SyncStatus {
      var status = status
      if status.phase != .upToDate { return status }
      // Nobody has told the server yet; or that is about to be noted.
      if isWritten { status.phase = .sending }
      if !core.isIdle { status.phase = SyncStatus.Phase(core.phase, isIdle: false, nil) }
      return status
    }

    /// Takes those who wait for what is done; after a failure only those who waited already when that was asked for.
    mutating func takeWaiters(after failure: Bool = false) -> [Waiter] {
      let taken = waiters.filter { !failure || $0.value.attempts < attempts }
      for key in taken.keys { waiters[key] = nil }
      return Array(taken.values)
    }
  }

  /// Who waits for ``now()``.
  struct Waiter {
    let continuation: CheckedContinuation<Void, any Error>
    /// How many things had been begun before.
    let attempts: Int
  }

  let synced: SyncedStore
  private let service: any SyncService
  private let pages: PageAhead
  let logger: Logger
  let registrar = ObservationRegistrar()
  let state = Mutex(State())
  private let coreEvents: AsyncStream<SyncCore.Event>
  let coreContinuation: AsyncStream<SyncCore.Event>.Continuation
  /// Whether a program has written since the engine last looked. What was written before it began it looks at first.
  let isWritten = Atomic<Bool>(false)
  private let queue = DispatchQueue(label: "roost.sync")

  init(_ store: Store, _ synced: SyncedStore, _ service: any SyncService, isPaused: Bool) {
    (self.synced, self.service, logger) = (synced, service, store.logger)
    pages = PageAhead(service, pageLimit: Self.pageLimit)
    (coreEvents, coreContinuation) = AsyncStream.makeStream()
    store.tell(self, isObserver: true)
    let loop = Task.detached { [weak self, coreEvents] in
      for await event in coreEvents {
        guard let self else { return }
        await take(event)
      }
    }
    state.withLock { $0.tasks.append(loop) }
    if isPaused { coreContinuation.yield(.pause) }
    coreContinuation.yield(.start)
  }

  /// How far the store and the server are: observable. The phase is true as it is read; counts may be a moment old.
  public var status: SyncStatus {
    registrar.access(self, keyPath: \.status)
    return state.withLock { $0.status(isWritten: isWritten.load(ordering: .acquiring)) }
  }

  /// What happens, from now on: a new sequence each time, which ends with the store.
  ///
  /// Whoever is 1,000 events late gets the newest of them.
  public var events: AsyncStream<SyncEvent> {
    let (stream, continuation) = AsyncStream<SyncEvent>.makeStream(bufferingPolicy: .bufferingNewest(1_000))
    let key = UUID()
    let isEnded = state.withLock { state in
      if !state.isEnded { state.listeners[key] = continuation }
      return state.isEnded
    }
    if isEnded { continuation.finish() }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[key] = nil } }
    return stream
  }

  /// Sends and fetches at once, and returns when nothing is left to do.
  ///
  /// Ends ``pause()``. While programs save all the time it waits for a moment in which all is sent.
  ///
  /// - Throws: what is in the way: ``SyncError``; ``SwiftDataError`` of the store; `CancellationError` if the task is
  ///   cancelled, which ends the wait and nothing else.
  public func now() async throws {
    let key = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isEnded = state.withLock { state in
          if state.isEnded { return true }
          state.waiters[key] = Waiter(continuation: continuation, attempts: state.attempts)
          // Together, so that nobody finds the wait without what is waited for.
          isWritten.store(true, ordering: .releasing)
          for event in [SyncCore.Event.resume, .localChange, .look] { coreContinuation.yield(event) }
          return false
        }
        if isEnded { return continuation.resume(throwing: SyncError.ended) }
        // It may have been cancelled before there was anything to end.
        if Task.isCancelled { endWait(key) }
      }
    } onCancel: {
      endWait(key)
    }
  }

  /// Whether the server's changes are listened to, for tests.
  package var isListening: Bool { state.withLock { $0.heads != nil } }

  /// How many wait for ``now()``, for tests.
  package var waiterCount: Int { state.withLock(\.waiters.count) }

  /// Ends a wait whose task is cancelled.
  private func endWait(_ key: UUID) {
    state.withLock { $0.waiters.removeValue(forKey: key) }?.continuation.resume(throwing: CancellationError())
  }

  /// Stops sending and fetching until ``resume()``, ``now()`` or the next container. See
  /// ``SyncConfiguration/startsPaused`` for a container that begins so.
  ///
  /// What is under way is finished; a ``now()`` that waits throws.
  public func pause() {
    let waiters = state.withLock { state in
      coreContinuation.yield(.pause)
      return state.takeWaiters()
    }
    for waiter in waiters {
      waiter.continuation.resume(throwing: SyncError.paused)
    }
  }

  /// Goes on after ``pause()``, looks at the server, and tries at once what has failed.
  ///
  /// A token closure that has not answered for a minute is cancelled, and called again. Call it as people come back to
  /// the program, and once somebody has signed in; not again with a token that was refused.
  public func resume() {
    // Whoever was to sign in may have gone without a word.
    service.cancelTokenRequest(ifLate: true)
    // After a sleep a stream may be dead, and nobody has noticed.
    if let zone = state.withLock({ $0.heads == nil ? nil : $0.zone }) { listen(zone) }
    coreContinuation.yield(.resume)
  }

  /// What becomes of a store that was synced with another account than the token's.
  public enum AccountChoice: Hashable, Sendable {
    /// Its rows, and what was not sent yet, are sent to the account too. What the account has is fetched.
    case merge
    /// Its rows are removed, with what was not sent yet. What the account has is fetched. Rows of
    /// models that are not synced stay.
    case discard
  }

  /// Has the store belong to the account of the token from now on.
  ///
  /// A store belongs to the account that it was first synced with. With a token of another one it is not synced,
  /// its rows and unsent changes stay, and ``SyncStatus/error`` is ``SyncError/otherAccount``, until this says what
  /// becomes of them or the first account is back. So it is with a database that `cloudKitDatabase: .private`
  /// names, and was not synced with.
  ///
  /// - Parameter choice: what becomes of the rows.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` where a row that is not synced must refer to one that would
  ///   go; what the database reports.
  public func useAccount(_ choice: AccountChoice) throws {
    switch choice {
    case .merge: try synced.leaveAccount()
    case .discard: try synced.discardRows()
    }
    // What was asked for ahead, and what is listened to, is the other account's.
    pages.cancel()
    service.cancelTokenRequest(ifLate: false)
    stopListening()
    state.withLock { $0.zone = nil }
    coreContinuation.yield(.otherAccount)
    noteWritten()
  }

  // MARK: - Steps

  private func take(_ event: SyncCore.Event) async {
    let effects = state.withLock { state in
      // Together, so that nobody finds neither.
      if event == .localChange { isWritten.store(false, ordering: .releasing) }
      return state.core.step(event)
    }
    // Without a server too, or while it is busy.
    if event == .localChange, effects.isEmpty { try? await onQueue { try $0.noteChanges(now: Self.clockTime) } }
    // It would be an old one by then, or is older than what is asked for.
    if event == .pause || event == .look || event == .resume { pages.cancel() }
    if event == .pause { stopListening() }
    if event == .resume, let zone = state.withLock({ $0.heads == nil ? $0.zone : nil }) { listen(zone) }
    await updateStatus(after: event)
    for effect in effects { begin(effect) }
  }

  /// Does what the core wants, one thing at a time, while events are taken: a server, or a token closure, may be slow.
  private func begin(_ effect: SyncCore.Effect) {
    let task = Task.detached { [weak self] () -> Void in await self?.run(effect) }
    // The store may have been closed meanwhile.
    let isEnded = state.withLock { state in
      state.work = task
      return state.isEnded
    }
    if isEnded { task.cancel() }
  }

  private func run(_ effect: SyncCore.Effect) async {
    do {
      if let event = try await outcome(of: effect) { coreContinuation.yield(event) }
    } catch {
      let failure = SyncCore.Failure(error)
      if case SyncZoneError.clockAhead(let now) = error { state.withLock { $0.serverTime = now } }
      let isEnded = state.withLock { state in
        state.failure = error
        return state.isEnded
      }
      // What is ended as the store is closed has not failed.
      if !isEnded { logger.info("Sync failed", metadata: ["error": "\(error)"]) }
      coreContinuation.yield(.failed(failure))
    }
  }

  /// Does what the core wants. nil where something else will say what came of it.
  private func outcome(of effect: SyncCore.Effect) async throws -> SyncCore.Event? {
    if case .wait(let seconds) = effect {
      wait(seconds)
      return nil
    }
    state.withLock { $0.attempts += 1 }
    let (random, serverTime) = (UInt64.random(in: 1 ... .max), state.withLock { $0.serverTime })
    let step = try await onQueue {
      try $0.perform(effect, random: random, serverTime: serverTime, now: Self.clockTime)
    }
    let request: SyncRequest
    switch step {
    case .done(let event): return event
    case .ask(let asked): request = asked
    }
    let answer = try await pages.answer(to: request)
    let event = try await onQueue { try $0.take(answer, to: request, now: Self.clockTime) }
    if case .begin(let hello) = request { listen(hello.zone) }
    tell(of: answer, to: request)
    return event
  }

  private static let pageLimit = 5_000

  /// The device's clock, in milliseconds since 1970.
  package static var clockTime: UInt64 {
    UInt64(max(0, (StoreClock.now + Date.timeIntervalBetween1970AndReferenceDate) * 1_000).rounded())
  }

  /// Does something with the store where it may block.
  func onQueue<Result: Sendable>(_ body: @escaping @Sendable (SyncedStore) throws -> Result) async throws
    -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [synced] in
        let result = Swift.Result { try body(synced) }
        continuation.resume(with: result)
      }
    }
  }

  private func wait(_ seconds: Double) {
    // Not all devices at the same time, and none before the server wants to be asked.
    let pause = seconds * Double.random(in: 1...1.5)
    let timer = Task { [coreContinuation] in
      guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
      coreContinuation.yield(.timer)
    }
    let needless = state.withLock { state -> Task<Void, Never>? in
      // The store may have been closed meanwhile.
      if state.isEnded { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    needless?.cancel()
  }

  /// Listens to what the server says of its last change: anew as each session begins, as it may be another account's.
  private func listen(_ zone: String) {
    let task = Task.detached { [service, coreContinuation, logger] in
      var pauses = ListeningPauses()
      while !Task.isCancelled {
        let start = ContinuousClock.now
        var failure: (any Error)?
        do {
          let heads = try await service.heads(of: zone)
          // Why a stream ends that was there says nothing of the server.
          do { for try await head in heads { coreContinuation.yield(.head(head)) } } catch {
            if Task.isCancelled { return }
            logger.info("The stream of the server's changes has ended", metadata: ["error": "\(error)"])
          }
        } catch {
          if Task.isCancelled { return }
          logger.info("The server's changes are not heard as they come", metadata: ["error": "\(error)"])
          failure = error
        }
        for pause in pauses.next(after: ContinuousClock.now - start, failure) {
          // Not all devices at the same time, whose server has ended.
          guard (try? await Task.sleep(for: .seconds(pause * Double.random(in: 1...1.5)))) != nil else { return }
          // Something may have come meanwhile, or the server is not reached.
          coreContinuation.yield(.look)
        }
      }
    }
    let needless = state.withLock { state -> Task<Void, Never>? in
      // The store may have been closed meanwhile.
      if state.isEnded { return task }
      // Nor is it listened to while it is paused.
      if state.core.isPaused {
        state.zone = zone
        return task
      }
      defer { (state.heads, state.zone) = (task, zone) }
      return state.heads
    }
    needless?.cancel()
  }

  private func stopListening() {
    let heads = state.withLock { state in
      defer { state.heads = nil }
      return state.heads
    }
    heads?.cancel()
  }
}

extension SyncEngine: WriteListener {
  package func note(_ written: WrittenRows, by writer: ObjectIdentifier?) { noteWritten() }

  /// Has what waits sent, and the store not up to date until then.
  func noteWritten() {
    // Once until it was looked at.
    if isWritten.exchange(true, ordering: .acquiringAndReleasing) { return }
    registrar.withMutation(of: self, keyPath: \.status) {}
    coreContinuation.yield(.localChange)
  }
}

extension SyncEngine: StoreCompanion {
  package func end() {
    coreContinuation.finish()
    let (tasks, waiters, listeners, status) = state.withLock { state in
      state.isEnded = true
      (state.status.phase, state.status.error) = (.blocked("\(SyncError.ended)"), .ended)
      defer { (state.tasks, state.listeners) = ([], [:]) }
      return (
        state.tasks + [state.timer, state.heads, state.work].compactMap(\.self), state.takeWaiters(),
        Array(state.listeners.values), state.status
      )
    }
    registrar.withMutation(of: self, keyPath: \.status) {}
    pages.cancel()
    for task in tasks { task.cancel() }
    service.cancelTokenRequest(ifLate: false)
    for waiter in waiters { waiter.continuation.resume(throwing: SyncError.ended) }
    for listener in listeners {
      listener.yield(.status(status))
      listener.finish()
    }
  }
}
