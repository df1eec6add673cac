package import SyncMerge
import Synchronization

// What the core decides, done with the store.
extension SyncedStore {
  /// What comes of an effect: something that was done, or something to ask the server.
  package enum Step: Hashable, Sendable {
    case done(SyncCore.Event)
    case ask(SyncRequest)
  }

  /// Does what an effect says, as far as that needs no server.
  ///
  /// - Parameters:
  ///   - effect: any but a wait, of which a store knows nothing.
  ///   - random: a random number that is not 0.
  ///   - serverTime: the server's time, of an error that said that this device's clock is ahead.
  ///   - now: milliseconds since 1970.
  /// - Returns: what to tell the core, or what to ask the server.
  /// - Throws: ``SyncedStoreError/staleAnswer`` where another program on the file has come to another zone since this
  ///   one's session began; what the database reports.
  package func perform(_ effect: SyncCore.Effect, random: UInt64, serverTime: UInt64, now: UInt64) throws -> Step {
    switch effect {
    case .begin:
      // Before the rest: what is another zone's meanwhile is not begun with.
      let zoneChanges = try zoneChanges()
      let hello = try hello()
      asked.withLock { $0 = Asked(of: hello, zoneChanges: zoneChanges) }
      return .ask(.begin(hello))
    case .push:
      let zone = try sessionZone()
      var next = try nextPush(identity: random, now: now)
      // What was looked at may have had nothing to send. Each time is a transaction of its
      // own, so that others can write.
      while next == nil, try isSweeping() { next = try nextPush(identity: random, now: now) }
      guard let push = next else {
        // Rows are shown with a page. A backup may have taken the file's place, which lacks some that were fetched.
        let isBehind = try pagePlace().cursor < fetched.load(ordering: .relaxed)
        return .done(.pushed(isEmpty: true, hasToShow: try isBehind || hasRowsBehindLarge()))
      }
      asked.withLock { $0 = Asked(of: push) }
      return .ask(.push(push, zone: zone))
    case .pull:
      // Each in a transaction of its own: a page would have all looked at in one.
      while try isSweepingKnown() { try noteChanges(now: now) }
      let (cursor, seen, site) = try pagePlace()
      return .ask(.page(behind: cursor, seen: seen, site: site, zone: try sessionZone()))
    case .compare: return .ask(.digest(zone: try sessionZone()))
    case .takeSite: try takeSite(random, insteadOf: asked.withLock(\.self))
    case .setClock: try setClock(to: serverTime)
    case .takeBackLarge: try takeBackLarge(identity: random, asked.withLock(\.self), now: now)
    case .wait: break
    }
    return .done(.mended)
  }

  /// Takes the server's answer.
  ///
  /// - Parameters:
  ///   - answer: what it said.
  ///   - request: what it was asked.
  ///   - now: milliseconds since 1970.
  /// - Returns: what to tell the core.
  /// - Throws: ``SyncedStoreError/otherAccount``; ``SyncServiceError/malformed(_:)`` for an answer to something
  ///   else; what the database reports.
  package func take(_ answer: SyncAnswer, to request: SyncRequest, now: UInt64) throws -> SyncCore.Event {
    switch (answer, request) {
    case (.begin(let welcome), .begin(let hello)):
      guard welcome.isPossible else {
        throw SyncServiceError.malformed("A place, a number or a limit is none that a server comes to.")
      }
      try begin(welcome, to: hello, zoneChanges: asked.withLock(\.zoneChanges), now: now)
      // What waits for a later program, or for another one, is shown with a page, and this may be that program.
      let waits = try hasWaitingRows()
      return .began(hasMore: waits || welcome.place != hello.pulled, hasToCompare: try isComparisonDue(now: now))
    case (.push(let answer), .push(let push, _)):
      // It would be sent again at once.
      guard answer.number == push.number else { throw SyncServiceError.malformed("It answers another push.") }
      try receive(answer, to: push, now: now)
      return .pushed(isEmpty: false)
    case (.page(let page), .page(let cursor, let seen, let site, _)):
      guard page.isLast || page.cursor > cursor else {
        throw SyncServiceError.malformed("A page that is not the last one ends where it begins.")
      }
      let isTaken = try receive(page, behind: cursor, seen: seen, site: site, now: now)
      if isTaken { fetched.store(page.cursor, ordering: .relaxed) }
      let isLast = isTaken && page.isLast
      return .pulled(
        isLast: isLast, cursor: isTaken ? page.cursor : 0, hasEdits: try isTaken ? isLast && counts().pending > 0 : true
      )
    case (.digest(let digest), .digest): return .compared(try compare(with: digest, now: now))
    default: throw SyncServiceError.malformed("It answers something else.")
    }
  }
}
