import RoostCore
package import SyncMerge

// What is sent, and what becomes of it.
extension SyncedStore {
  /// The next push, which is the same until it is answered; nil if there is nothing to send.
  ///
  /// - Parameters:
  ///   - identity: a random number, for one that is new.
  ///   - now: milliseconds since 1970.
  /// - Returns: the push.
  /// - Throws: what the database reports.
  package func nextPush(identity: UInt64, now: UInt64) throws -> SyncPush? {
    // Were it taken back, all that is in it would be sent as another push once more, and count twice.
    try transaction(now: now, isDurable: true) { transaction, _ in try transaction.nextPush(identity: identity) }
  }

  /// Whether there are rows that are still to be looked at, as history has nothing of them.
  func isSweeping() throws -> Bool {
    try reading { facts in try facts.state.map { isSweeping($0) } ?? false }
  }

  /// Whether there are some of which the server has others' values.
  func isSweepingKnown() throws -> Bool {
    try reading { facts in
      try facts.state.map { state in contract.entities.contains { state.sweeps[$0.root.name]?.isOfKnown ?? false } }
        ?? false
    }
  }

  /// Those of a class that was taken out of the program stay, and nobody waits for them.
  func isSweeping(_ state: SyncState) -> Bool { contract.entities.contains { state.sweeps[$0.root.name] != nil } }

  /// Takes the answer to a push. `push`: the one; nil for what ``nextPush(identity:now:)`` gives.
  package func receive(_ answer: SyncPushAnswer, to push: SyncPush? = nil, now: UInt64) throws {
    try transaction(now: now) { transaction, refused in
      guard let outstanding = transaction.state.outstanding, outstanding.number == answer.number else { return }
      let identity = push?.identity ?? outstanding.probe ?? outstanding.identity
      if identity != outstanding.identity {
        // One without edits was taken in its place: it was not, and never will be.
        if identity == outstanding.probe { try transaction.takeBackSent() }
        return
      }
      transaction.state.outstanding?.probe = nil
      try transaction.finishSweeps()
      try transaction.collect(answer.records, taken: answer.number)
      // A page comes after it.
      try transaction.showCollected(besides: refused, isLast: false)
      // One without edits is answered without rows.
      let isWithoutRows = try outstanding.probe != nil && !transaction.connection.sentRows().isEmpty
      try transaction.acknowledgeSent(answer.records)
      // What was sent comes before what was written upon it meanwhile.
      let rows = Set(answer.records.map(\.row))
      let told = try transaction.mergeByProgram(answer.conflicts, contract, in: rows)
      try transaction.mergeShownByProgram(contract)
      transaction.note(told)
      transaction.state.outstanding = nil
      // A row that the push did not change is behind no place that is still to be read.
      if let rest = isWithoutRows ? 0 : answer.rest, rest < transaction.state.cursor {
        (transaction.state.cursor, transaction.state.pulled) = (rest, .start)
      }
      if transaction.state.seen.sequence < answer.place.sequence { transaction.state.seen = answer.place }
    }
  }

  /// The server refused the last push as too large: what it has in it is sent in smaller ones, and waits where it was
  /// alone. `identity`: a random number. `refused`: the push; nil for the one that is on its way.
  package func takeBackLarge(identity: UInt64, _ refused: Asked? = nil, now: UInt64) throws {
    try transaction(now: now) { transaction, _ in
      if refused?.isStill(in: transaction.state) ?? true { try transaction.takeBackLarge(identity: identity) }
    }
  }

  /// The device's clock is ahead: what is to be sent is as if it was written now, by the server's clock.
  package func setClock(to now: UInt64) throws {
    try transaction(now: now) { transaction, _ in try transaction.restamp() }
  }
}
