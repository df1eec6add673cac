import RoostEngine
package import SyncMerge
import Synchronization

// What the server is told as a session begins, and what it says to that.
extension SyncedStore {
  package func hello() throws -> SyncHello {
    try reading { facts in
      let state = try facts.begunState()
      return SyncHello(
        zone: state.zone, site: state.site, lastPush: state.lastPush, seen: state.seen, pulled: state.pulled,
        former: state.former, numbers: try facts.sessionText.map { try SyncFacts.session($0).allNumbers },
        schema: contract.schema)
    }
  }

  /// How often the rows came to be another zone's, or the zone to another order of changes.
  func zoneChanges() throws -> Int { try reading { facts in try facts.state?.zoneChanges ?? 0 } }

  /// The name of its zone at the server, which is still the one that the session began with.
  ///
  /// - Throws: ``SyncedStoreError/staleAnswer`` where it is not, as another program on the file knows: what this one
  ///   has heard of the zone's last change is of the one before.
  func sessionZone() throws -> String {
    try reading { facts in
      let state = try facts.begunState()
      if let begun = begun.withLock(\.self), begun != state.zoneChanges ?? 0 { throw SyncedStoreError.staleAnswer }
      return state.zone
    }
  }

  /// Takes what the server said to that.
  ///
  /// - Parameters:
  ///   - welcome: what it said.
  ///   - hello: what it was told.
  ///   - zoneChanges: how often the zone had been changed then; nil where nobody has changed it.
  ///   - now: milliseconds since 1970.
  /// - Throws: ``SyncedStoreError/staleAnswer`` where that is not what the file says any more, as another program has
  ///   gone on with it, and nothing is taken; ``SyncedStoreError/otherAccount``; what the database reports.
  package func begin(_ welcome: SyncWelcome, to hello: SyncHello, zoneChanges: Int? = nil, now: UInt64) throws {
    // What both have in common is less than what the device has seen where this is another order of changes.
    var (isOther, common) = (false, welcome.common)
    // The numbers of before, where the server has others now.
    var renumbered: SyncNumbers?
    var isOtherZone = false
    unshowable.withLock { $0 = [:] }
    // In one transaction: edits must never be read with other numbers than those that they were noted with.
    let changes = try transaction(now: now) { facts in
      var state = try facts.begunState()
      let known = state.zoneChanges ?? 0
      guard state.site == hello.site, state.lastPush == hello.lastPush, known == zoneChanges ?? known else {
        throw SyncedStoreError.staleAnswer
      }
      // `common` answers this hello. Another program on the file may have handled it already.
      isOther = welcome.common < hello.seen.sequence
      if isOther, state.seen != hello.seen { throw SyncedStoreError.staleAnswer }
      guard state.account ?? welcome.identity == welcome.identity else { throw SyncedStoreError.otherAccount }
      // Another zone may have forgotten its place of the same sequence, and knows none of the rows.
      isOtherZone = state.leftAccount.map { $0 != welcome.identity } ?? false
      if isOtherZone {
        (common, isOther) = (0, true)
      }
      (state.account, state.leftAccount) = (welcome.identity, nil)
      // Times of the former one say nothing of this one's.
      if isOtherZone { state.seenTime = nil }
      if isOther { state.noteZoneChange() }
      if state.seen.sequence == 0 { state.seen = .start(of: welcome.identity) }
      // It may have others for what the program does not have any more, too.
      let lacksNumbers = welcome.lacksNumbers == true
      // What was seen of another order says nothing.
      if isOther {
        state.limitUnseen(to: common)
        state.forgetFormer(behind: common)
      }
      let former = try facts.sessionText.map { try SyncFacts.session($0) }
      if let former {
        state.noteNumbers(welcome.numbers, former, contract.schema, areOthers: lacksNumbers)
      } else {
        for name in welcome.numbers.entities.keys { state.sweeps[name] = SyncState.Sweep(done: 0, again: false) }
      }
      // A wrong answer before may have moved the cursor past the zone's end.
      if state.cursor > welcome.place.sequence { state.cursor = state.pulled.sequence }
      renumbered = lacksNumbers ? former?.numbers : nil
      let earlier = lacksNumbers ? [] : (former?.allNumbers ?? []).compactMap { $0.without(welcome.numbers) }
      let rules = welcome.rules.merging(lacksNumbers ? [:] : former?.rules ?? [:]) { given, _ in given }
      try facts.set(
        SyncSessionFacts(
          numbers: welcome.numbers, earlier: earlier, rules: rules, limits: welcome.limits))
      try facts.set(state)
    } _: { transaction in
      // Its pushes are that zone's own: the former one would take them for another device's.
      if isOtherZone { transaction.state.takeSite(hello.site.mixed(with: [welcome.identity]) | 1) }
      if isOther || renumbered != nil {
        try transaction.sendAnew(
          common: isOther ? common : .max, isRenumbered: renumbered != nil, isOtherZone: isOtherZone)
      }
      if isOtherZone { try transaction.connection.renameWriter(to: transaction.state.site) }
      if let renumbered { try transaction.renumberJournal(from: renumbered, to: welcome.numbers) }
      if let seen = welcome.seen, transaction.state.seen.sequence < seen.sequence { transaction.state.seen = seen }
      transaction.state.noteLastPush(isOtherZone ? 0 : welcome.lastPush)
      (transaction.state.mostBytes, transaction.state.partsUpTo) = (nil, nil)
      try transaction.retryWaiting()
      return transaction.state.zoneChanges ?? 0
    }
    begun.withLock { $0 = changes }
  }

  /// Whether it is time to see whether the rows are the server's.
  func isComparisonDue(now: UInt64) throws -> Bool {
    // A clock that was put back makes it time, too.
    try reading { facts in try facts.state?.compared.map { now < $0 || now - $0 >= comparisonInterval } ?? true }
  }

  /// Whether there ever was a session.
  func hasSession() throws -> Bool { try reading { facts in try facts.sessionText != nil } }
}
