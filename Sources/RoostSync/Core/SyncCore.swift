/// Decides what a device does next: without a clock, chance, a network or a file.
///
/// One thing is done at a time. What was done, and what happens meanwhile, are events; ``step(_:)`` answers with what
/// is to be done then. So a test can try all orders.
package struct SyncCore: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    /// It is time to begin, or to try again at once.
    case start
    /// A program has written to the store.
    case localChange
    /// The server's last change is at this place.
    case head(Int64)
    /// The server may have changes.
    case look
    /// The session has begun. `hasMore`: whether the server has changes that the device has not. `hasToCompare`:
    /// whether it is time to see that both have the same.
    case began(hasMore: Bool, hasToCompare: Bool = false)
    /// Nothing is left to be sent, or a push was answered. `hasToShow`: whether rows may wait for what is not to be
    /// sent after all, or the file lacks some that were fetched.
    case pushed(isEmpty: Bool, hasToShow: Bool = false)
    /// A page was taken. `hasEdits`: whether something is to be sent after it.
    case pulled(isLast: Bool, cursor: Int64, hasEdits: Bool = false)
    /// The rows were compared with the server's.
    case compared(SyncComparison)
    /// What was asked for last did not come about.
    case failed(Failure)
    /// What was wrong was put right.
    case mended
    /// The store belongs to another account from now on.
    case otherAccount
    /// The wait is over.
    case timer
    case pause
    case resume
  }

  /// Why something did not come about.
  package enum Failure: Hashable, Sendable {
    /// The server was not reached, or has no time. `retryAfter`: the seconds that it wants to be left alone.
    case later(retryAfter: Double?)
    case unauthorized
    /// Its data is not what the device saw: the session is to begin anew.
    case otherData
    /// Another store pushes under the same name.
    case otherPush
    /// The device's clock is ahead.
    case clockAhead
    /// What was sent is larger than the server takes.
    case tooLarge
    /// Neither waiting nor beginning anew helps.
    case refused(String)
  }

  package enum Effect: Hashable, Sendable {
    /// Begin the session.
    case begin
    /// Send the next push, if there is one.
    case push
    /// Ask for the next page.
    case pull
    /// See whether the rows are the server's.
    case compare
    /// Give ``Event/timer`` after so many seconds, and up to half as many more by chance;
    /// instead of one that is still to come.
    case wait(Double)
    /// Go on under another name.
    case takeSite
    /// Take the server's time.
    case setClock
    /// Make smaller pushes of the last one.
    case takeBackLarge
  }

  package enum Phase: Hashable, Sendable {
    /// Nothing is to be done, as far as is known.
    case idle
    case beginning, pushing, pulling
    /// Something failed, and is tried again.
    case waiting
    /// Something failed, and is only tried again now and then.
    case blocked(String)
    case paused

    /// Whether something failed, and is tried again later.
    package var isWaiting: Bool {
      switch self {
      case .waiting, .blocked: true
      default: false
      }
    }
  }

  package internal(set) var phase = Phase.idle
  private var hasSession = false
  /// Whether the session that is being begun is of an account that the store does not belong to any more.
  private var beginsAgain = false
  private var isBusy = false
  private var hasToPush = true
  private var hasToPull = true
  private var hasToCompare = false
  /// Whether that is what is being done: all else is done then.
  private var isComparing = false
  package private(set) var isPaused = false
  /// The place up to which the device has all changes.
  private var pulled: Int64 = 0
  private var head: Int64 = 0
  /// What ``head`` was when the last page was asked for.
  private var askedHead: Int64 = 0
  /// How often it has sent since it last fetched, or had nothing left to do.
  private var pushes = 0
  /// How often it failed since it last worked.
  private var failures = 0

  /// How often something was to be put right since nothing was left to do, or since the last wait.
  private var attempts = 0

  package init() {}

  /// Whether all was sent and fetched, as far as is known.
  package var isIdle: Bool {
    phase == .idle && hasSession && (!isBusy || isComparing) && !hasToPush && !hasToPull && head <= pulled
  }

  /// Takes an event, and says what is to be done.
  package mutating func step(_ event: Event) -> [Effect] {
    switch event {
    case .start: failures = 0
    case .localChange: hasToPush = true
    case .head(let place):
      head = max(head, place)
    case .look: hasToPull = true
    case .began(let hasMore, let isDue):
      isBusy = false
      if beginsAgain { break }
      (hasSession, hasToCompare) = (true, isDue)
      hasToPush = true
      hasToPull = hasToPull || hasMore
    // Nobody was asked: whether the server is reached is not known yet.
    case .pushed(isEmpty: true, let hasToShow):
      isBusy = false
      if hasToShow { hasToPull = true }
    case .pushed(isEmpty: false, _):
      done()
      // The device's own changes have places now, behind which others may be.
      (hasToPush, hasToPull) = (true, true)
    case .pulled(let isLast, let cursor, let hasEdits):
      done()
      if hasEdits { hasToPush = true }
      if !isLast { hasToPull = true }
      // Who told of more was another server than the one that knows of nothing more.
      if isLast, cursor <= pulled, head == askedHead { head = pulled }
      // It may be a page of an account that the store does not belong to any more.
      if hasSession { pulled = max(pulled, cursor) }
    case .compared(let comparison):
      done()
      if case .differs(_, isFetchedAnew: true) = comparison { (hasToPull, hasToCompare) = (true, true) }
    // Whether it helped is not known yet.
    case .mended: isBusy = false
    case .failed(let failure): return fail(failure)
    case .otherAccount:
      beginsAgain = isBusy && !hasSession
      hasSession = false
      (hasToPush, hasToPull, pulled, head) = (true, true, 0, 0)
      failures = 0
    case .timer: if phase.isWaiting { phase = .idle }
    case .pause: isPaused = true
    // Nobody may have told it of what came meanwhile.
    case .resume: (hasToPull, isPaused, failures) = (true, false, 0)
    }
    return next(afterWait: isCalled(event))
  }

  /// Whether somebody asks for it now, whatever was to be waited for.
  private func isCalled(_ event: Event) -> Bool { [.start, .otherAccount, .timer, .resume].contains(event) }

  private mutating func done() { (isBusy, isComparing, failures) = (false, false, 0) }

  private mutating func next(afterWait: Bool) -> [Effect] {
    if isBusy {
      // Rows are compared without a word.
      if isComparing { phase = isPaused ? .paused : .idle }
      return []
    }
    if isPaused {
      phase = .paused
      return []
    }
    if phase.isWaiting, !afterWait { return [] }
    if !hasSession {
      beginsAgain = false
      return doing(.begin, .beginning)
    }
    // What is here goes first: so what comes finds it merged. What happens from here on is to be looked at again.
    let hasToFetch = hasToPull || head > pulled
    if hasToPush, !hasToFetch || pushes < Self.mostPushes {
      (hasToPush, pushes) = (false, pushes + 1)
      return doing(.push, .pushing)
    }
    if hasToFetch {
      (hasToPull, askedHead, pushes) = (false, head, 0)
      return doing(.pull, .pulling)
    }
    (phase, attempts, pushes) = (.idle, 0, 0)
    if hasToCompare {
      (hasToCompare, isComparing) = (false, true)
      return doing(.compare, .idle)
    }
    return []
  }

  private mutating func doing(_ effect: Effect, _ phase: Phase) -> [Effect] {
    isBusy = true
    self.phase = phase
    return [effect]
  }

  private mutating func fail(_ failure: Failure) -> [Effect] {
    let isPushing = phase == .pushing
    (isBusy, isComparing) = (false, false)
    failures += 1
    // Whichever it was, it is still to be done.
    if hasSession { (hasToPush, hasToPull) = (true, true) }
    switch failure {
    case .later(let retryAfter):
      return wait(max(retryAfter ?? 0, Self.pause(after: failures)), .waiting)
    case .unauthorized:
      return wait(Self.longestPause, .blocked("\(SyncError.unauthorized)"))
    case .refused(let reason):
      return wait(Self.longestPause, .blocked(reason))
    case .otherData:
      hasSession = false
      hasToPull = true
      (pulled, head) = (0, 0)
      return again()
    case .otherPush:
      hasSession = false
      return mend(.takeSite)
    case .clockAhead: return mend(.setClock)
    case .tooLarge where isPushing: return mend(.takeBackLarge)
    case .tooLarge:
      return wait(
        Self.longestPause, .blocked("The program's models are more than the server takes. Sync fewer, by sync.models."))
    }
  }

  /// Does at once what may help; after a while, where it has not helped.
  private mutating func mend(_ effect: Effect) -> [Effect] {
    if isEnough() { return wait(Self.pause(after: failures), .waiting) }
    isBusy = true
    return [effect]
  }

  private mutating func again() -> [Effect] {
    isEnough() ? wait(Self.pause(after: failures), .waiting) : next(afterWait: true)
  }

  /// Counts an attempt to put something right. There are a few before a wait, and a few after it.
  private mutating func isEnough() -> Bool {
    attempts += 1
    if attempts <= Self.mostAttempts { return false }
    attempts = 0
    return true
  }

  private mutating func wait(_ seconds: Double, _ phase: Phase) -> [Effect] {
    self.phase = isPaused ? .paused : phase
    return isPaused ? [] : [.wait(seconds)]
  }

  private static let mostAttempts = 3
  /// A program that saves all the time has always something to send: what others wrote is fetched in between.
  private static let mostPushes = 8
  /// Half as much more may be added by chance: a minute.
  private static let longestPause = 40.0

  /// Twice as long each time, up to the longest.
  static func pause(after failures: Int) -> Double { min(longestPause, 0.5 * Double(1 << min(failures, 10))) }
}
