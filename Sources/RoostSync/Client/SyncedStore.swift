import Foundation
import Logging
package import RoostCore
import RoostEngine
import RoostQuery
package import SyncMerge
import Synchronization

/// A store that is synced: what its server is told, and what becomes of what the server says.
///
/// All of it is done in transactions of the store's, one after the other, and none of it asks a network.
package final class SyncedStore: Sendable {
  private weak let weakStore: Store?
  let contract: SyncContract
  /// What the server said last, and what that makes of the contract.
  private let bound = Mutex<(text: String, contract: BoundContract)?>(nil)
  /// How many rows that history has nothing of are noted at a time.
  private let sweepLimit: Int
  /// Of how many rows changes are noted at a time.
  private let captureLimit: Int
  private let session: Int64
  /// What the server was last asked.
  let asked = Mutex(Asked())
  /// See ``SyncTransaction/unshowable``.
  private let unshowable = Mutex<[SyncRowID: Int64]>([:])
  /// The largest key that a new row was given since the store was opened: a backup that is put in its place has given less.
  private let largestKey = Atomic<Int64>(0)
  /// How many conflicts are new in the journal, and were not told of yet.
  private let newConflicts = Atomic<Int>(0)
  /// After how many milliseconds its rows are compared with the server's again.
  private let comparisonInterval: UInt64
  private let mostConflicts: Int
  private let pushSize: SyncPushSize

  /// - Parameters:
  ///   - store: one that records history.
  ///   - contract: what of it is synced.
  ///   - zone: the name of its zone at the server.
  ///   - isZoneGiven: whether a store that was synced with another zone is to go over to this one.
  ///   - site: what tells this store from all others: a random number that was never given before.
  ///   - random: any number, another one each time.
  ///   - sweepLimit: how many rows that history has nothing of are noted at a time.
  ///   - captureLimit: of how many rows changes are noted at a time.
  ///   - comparisonInterval: after how many milliseconds a session compares the rows with the server's again.
  ///   - mostConflicts: how many conflicts the journal keeps.
  ///   - pushSize: how much is sent at a time.
  /// - Throws: ``SwiftDataError/invalidSchema`` where no history is recorded; or what the database reports.
  package init(
    _ store: Store, _ contract: SyncContract, zone: String, isZoneGiven: Bool = false, site: UInt64, random: UInt64,
    sweepLimit: Int = 5_000, captureLimit: Int = 20_000, comparisonInterval: UInt64 = 86_400_000,
    mostConflicts: Int = 10_000, pushSize: SyncPushSize = SyncPushSize()
  ) throws {
    (weakStore, self.contract) = (store, contract)
    (self.sweepLimit, self.captureLimit) = (sweepLimit, captureLimit)
    (self.comparisonInterval, self.mostConflicts, self.pushSize) = (comparisonInterval, mostConflicts, pushSize)
    session = Int64(random & (1 << 23 - 1))
    guard store.recordsHistory else {
      throw SwiftDataError(
        .invalidSchema, "The store records no history, so that nobody knows what to sync.",
        remedy: "Leave storeOptions.history as it is, or set it to .on; open it with allowsSave: true.")
    }
    let excluded = contract.entities.flatMap(\.classes).first { store.history.excludedEntities.contains($0.name) }
    if let excluded {
      throw SwiftDataError(
        .invalidSchema, "Its changes are not recorded, so that nobody knows what to sync.", model: excluded.name,
        remedy: "Take it out of storeOptions.history's excluded models, or sync other models only.")
    }
    try prepare(zone, isGiven: isZoneGiven, site)
  }

  /// The store is not held: it closes when nobody else needs it.
  var store: Store {
    get throws {
      guard let weakStore else {
        throw SwiftDataError(.storeClosed, "The store was closed.", remedy: "Make another container.")
      }
      return weakStore
    }
  }

  private func prepare(_ zone: String, isGiven: Bool, _ site: UInt64) throws {
    try store.noteOthersChanges()
    try writing { connection in
      try SyncTables.create(connection)
      let facts = SyncFacts(connection)
      if var state = try facts.state {
        // Its identity is another account's: the program says what becomes of the rows.
        guard isGiven, state.zone != zone else { return }
        state.zone = zone
        return try facts.set(state)
      }
      let last = try HistoryTables.lastNumber(connection) ?? 0
      try facts.set(SyncState(zone: zone, site: site, transaction: last))
    }
  }

  func writing<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try SwiftDataError.translating(SwiftDataError.saving) {
      try store.pool.write { connection in try connection.transaction(.immediate) { try body(connection) } }
    }
  }

  func changeState(_ body: (inout SyncState) throws -> Void) throws {
    try writing { connection in
      let facts = SyncFacts(connection)
      guard var state = try facts.state else { throw SyncedStoreError.notBegun }
      try body(&state)
      try facts.set(state)
    }
  }

  /// Runs what reads or writes rows: in one transaction, after what programs changed was noted.
  func transaction<Result>(now: UInt64, _ body: (SyncTransaction, RefusedRows) throws -> Result) throws
    -> Result
  {
    let store = try store
    store.ensureIndexes()
    var refused = RefusedRows()
    while true {
      do {
        return try transaction(now: now) { transaction in
          transaction.unshowable = unshowable.withLock(\.self)
          let result = try body(transaction, refused)
          for row in refused.unshowable {
            if let sequence = transaction.inbox.sequence(of: row) { transaction.unshowable[row] = sequence }
          }
          unshowable.withLock { $0 = transaction.unshowable }
          return result
        }
      } catch let error as RefusedRows {
        if !refused.add(error) { throw error }
        store.logger.warning("Rows of the server wait", metadata: ["reason": "\(error.reason)"])
      }
    }
  }

  /// `prepare`: changes what the file says of the session, before it is read.
  private func transaction<Result>(
    now: UInt64, after prepare: (SyncFacts) throws -> Void = { _ in }, _ body: (SyncTransaction) throws -> Result
  ) throws -> Result {
    let store = try store
    var conflicts = 0
    let result: Result = try writingRows { connection, files in
      let facts = SyncFacts(connection)
      try prepare(facts)
      guard let state = try facts.state, let contract = try boundContract(facts) else {
        throw SyncedStoreError.notBegun
      }
      let transaction = try SyncTransaction(
        store, connection, contract, state, now: now, session: session, pushSize, files: files)
      transaction.state.nextKey = max(state.nextKey, largestKey.load(ordering: .relaxed))
      try transaction.capture(captureLimit, sweep: sweepLimit)
      return WrittenBySync(result: try body(transaction), tables: { transaction.written }) { own in
        // What was just written the server said itself.
        if let own { transaction.state.transaction = own }
        conflicts = try transaction.noteConflicts(keeping: self.mostConflicts)
        try transaction.inbox.write(to: connection)
        self.largestKey.max(transaction.state.nextKey, ordering: .relaxed)
        if transaction.state == state { return }
        try StoreCatalog(connection).set(.consumer(Self.author), "\(transaction.state.transaction)")
        try facts.set(transaction.state)
      }
    }
    newConflicts.add(conflicts, ordering: .relaxed)
    return result
  }

  /// How many conflicts are new in the journal since somebody asked.
  package func takeNewConflicts() -> Int { newConflicts.exchange(0, ordering: .relaxed) }

  /// What was written to rows, and what is to be written beside them once history has its transaction.
  struct WrittenBySync<Result> {
    let result: Result
    let tables: () -> Set<String>
    /// Given the number of the transaction in history; nil if it has none.
    let finish: (Int64?) throws -> Void
  }

  /// Runs what writes rows: in one transaction, which history has as this author's.
  func writingRows<Result>(
    _ body: (Connection, ExternalWrites?) throws -> WrittenBySync<Result>
  ) throws -> Result {
    let store = try store
    return try SwiftDataError.translating(SwiftDataError.saving) {
      try store.writing { connection in
        let files = store.files.map {
          ExternalWrites($0, threshold: store.configuration.storeOptions.externalStorageThreshold, mayRelease: true)
        }
        let (written, recorded) = try store.transaction(connection, with: files) {
          try store.completeBackfills(connection)
          let isHeard = store.observers.isAnybodyListening()
          let (written, recorded) = try store.recording(
            by: HistoryAuthor(author: Self.author), isHeard: isHeard, connection
          ) { try body(connection, files) }
          try written.finish(recorded.transaction)
          return (written, recorded)
        }
        return (written.result, written.tables(), recorded)
      }.result
    }
  }

  /// What history has as the author of what the server sent.
  package static let author = "roost.sync"

  func boundContract(_ facts: SyncFacts) throws -> BoundContract? {
    guard let text = try facts.sessionText else { return nil }
    if let known = bound.withLock({ $0 }), known.text == text { return known.contract }
    guard let contract = BoundContract(contract, try SyncFacts.session(text)) else { return nil }
    bound.withLock { $0 = (text, contract) }
    return contract
  }
}

/// Why a store cannot be synced now.
package enum SyncedStoreError: Error, Hashable, Sendable {
  /// The server was never asked what numbers it has for the program's models.
  case notBegun
  /// The server's zone is not the one that the store was synced with.
  case otherAccount
  /// The answer is to what another program on the file has changed since.
  case staleAnswer
}

// MARK: - What the server is told

extension SyncedStore {
  package func hello() throws -> SyncHello {
    try reading { facts in
      guard let state = try facts.state else { throw SyncedStoreError.notBegun }
      return SyncHello(
        zone: state.zone, site: state.site, lastPush: state.lastPush, seen: state.seen, pulled: state.pulled,
        former: state.former, numbers: try facts.sessionText.map { try SyncFacts.session($0).allNumbers },
        schema: contract.schema)
    }
  }

  /// The name of its zone at the server.
  func zone() throws -> String {
    try reading { facts in
      guard let state = try facts.state else { throw SyncedStoreError.notBegun }
      return state.zone
    }
  }

  /// Takes what the server said to that.
  ///
  /// - Parameters:
  ///   - welcome: what it said.
  ///   - hello: what it was told.
  ///   - accountChanges: how often the account had been changed then; nil where nobody has changed it.
  ///   - now: milliseconds since 1970.
  /// - Throws: ``SyncedStoreError/staleAnswer`` where that is not what the file says any more, as another program has gone on with
  ///   it, and nothing is taken; ``SyncedStoreError/otherAccount``; what the database reports.
  package func begin(_ welcome: SyncWelcome, to hello: SyncHello, accountChanges: Int? = nil, now: UInt64) throws {
    // What both have in common is less than what the device has seen where this is another order of changes.
    var (isOther, common) = (false, welcome.common)
    // The numbers of before, where the server has others now.
    var renumbered: SyncNumbers?
    var isOtherZone = false
    unshowable.withLock { $0 = [:] }
    // In one transaction: edits must never be read with other numbers than those that they were noted with.
    try transaction(now: now) { facts in
      guard var state = try facts.state else { throw SyncedStoreError.notBegun }
      let known = state.accountChanges ?? 0
      guard state.site == hello.site, state.lastPush == hello.lastPush, known == accountChanges ?? known else {
        throw SyncedStoreError.staleAnswer
      }
      // `common` answers this hello. Another program on the file may have handled it already.
      isOther = welcome.common < hello.seen.sequence
      if isOther, state.seen != hello.seen { throw SyncedStoreError.staleAnswer }
      guard state.account ?? welcome.identity == welcome.identity else { throw SyncedStoreError.otherAccount }
      // Another zone may have forgotten its place of the same sequence, and knows none of the rows.
      isOtherZone = state.leftAccount.map { $0 != welcome.identity } ?? false
      if isOtherZone {
        common = 0
        isOther = state.seen.sequence > 0
      }
      (state.account, state.leftAccount) = (welcome.identity, nil)
      if state.seen.sequence == 0 { state.seen = .start(of: welcome.identity) }
      let former = try facts.sessionText.map { try SyncFacts.session($0) }
      // It may have others for what the program does not have any more, too.
      let lacksNumbers = welcome.lacksNumbers == true
      if let former {
        state.noteNumbers(welcome.numbers, former.numbers, areOthers: lacksNumbers)
      } else {
        for name in welcome.numbers.entities.keys { state.sweeps[name] = SyncState.Sweep(done: 0, again: false) }
      }
      // A wrong answer before may have moved the cursor past the zone's end.
      if state.cursor > welcome.place.sequence { state.cursor = state.pulled.sequence }
      renumbered = lacksNumbers ? former?.numbers : nil
      let earlier = lacksNumbers ? [] : (former?.allNumbers ?? []).compactMap { $0.without(welcome.numbers) }
      try facts.set(
        SyncSessionFacts(numbers: welcome.numbers, earlier: earlier, rules: welcome.rules, limits: welcome.limits))
      try facts.set(state)
    } _: { transaction in
      if isOther || renumbered != nil {
        try transaction.sendAnew(
          common: isOther ? common : .max, isRenumbered: renumbered != nil, isOtherZone: isOtherZone)
      }
      if let renumbered { try transaction.renumberJournal(from: renumbered, to: welcome.numbers) }
      if let seen = welcome.seen, transaction.state.seen.sequence < seen.sequence { transaction.state.seen = seen }
      transaction.state.noteLastPush(welcome.lastPush)
      (transaction.state.mostBytes, transaction.state.partsUpTo) = (nil, nil)
      try transaction.retryWaiting()
    }
  }

  /// Whether it is time to see whether the rows are the server's.
  func isComparisonDue(now: UInt64) throws -> Bool {
    // A clock that was put back makes it time, too.
    try reading { facts in try facts.state?.compared.map { now < $0 || now - $0 >= comparisonInterval } ?? true }
  }

  /// The next push, which is the same until it is answered; nil if there is nothing to send.
  ///
  /// - Parameters:
  ///   - identity: a random number, for one that is new.
  ///   - now: milliseconds since 1970.
  /// - Returns: the push.
  /// - Throws: what the database reports.
  package func nextPush(identity: UInt64, now: UInt64) throws -> SyncPush? {
    try transaction(now: now) { transaction, _ in try transaction.nextPush(identity: identity) }
  }

  /// Whether there ever was a session.
  func hasSession() throws -> Bool { try reading { facts in try facts.sessionText != nil } }

  /// Whether there are rows that are still to be looked at, as history has nothing of them.
  func isSweeping() throws -> Bool {
    try reading { facts in try facts.state.map { isSweeping($0) } ?? false }
  }

  /// Those of a class that was taken out of the program stay, and nobody waits for them.
  func isSweeping(_ state: SyncState) -> Bool { contract.entities.contains { state.sweeps[$0.root.name] != nil } }

  /// Notes what programs changed, so that a copy of the file has the same names for new rows.
  package func noteChanges(now: UInt64) throws { try transaction(now: now) { _, _ in } }

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
      try transaction.collect(answer.records, taken: answer.number)
      // A page comes after it.
      try transaction.showCollected(besides: refused, isLast: false)
      // One without edits is answered without rows.
      let isWithoutRows = try outstanding.probe != nil && !transaction.connection.sentRows().isEmpty
      try transaction.acknowledgeSent()
      // What was sent comes before what was written upon it meanwhile.
      let rows = Set(answer.records.map(\.row))
      let told = try transaction.mergeByProgram(answer.conflicts, contract.merges, in: rows)
      try transaction.mergeShownByProgram(contract.merges)
      transaction.note(told)
      transaction.state.outstanding = nil
      // A row that the push did not change is behind no place that is still to be read.
      if let rest = isWithoutRows ? 0 : answer.rest, rest < transaction.state.cursor {
        (transaction.state.cursor, transaction.state.pulled) = (rest, .start)
      }
      if transaction.state.seen.sequence < answer.place.sequence { transaction.state.seen = answer.place }
    }
  }

  /// The sequence to ask for the next page from, and the last place that was seen.
  package func pagePlace() throws -> (cursor: Int64, seen: SyncPlace, site: UInt64) {
    try reading { facts in
      guard let state = try facts.state else { throw SyncedStoreError.notBegun }
      return (state.cursor, state.seen, state.site)
    }
  }

  /// Takes a page.
  ///
  /// - Parameters:
  ///   - page: what the server said.
  ///   - cursor: the sequence that was asked from.
  ///   - seen: the last place that had been seen as it was asked.
  ///   - site: the name that it was asked under; nil for the store's.
  ///   - now: milliseconds since 1970.
  /// - Returns: whether it follows what the device has: if its rows were removed meanwhile it does not, and is not taken.
  /// - Throws: what the database reports.
  @discardableResult
  package func receive(
    _ page: SyncPage, behind cursor: Int64, seen: SyncPlace, site: UInt64? = nil, now: UInt64
  ) throws -> Bool {
    try transaction(now: now) { transaction, refused in
      let state = transaction.state
      guard state.cursor == cursor, state.seen == seen, state.site == site ?? state.site else { return false }
      try transaction.collect(page.records, taken: page.taken)
      transaction.state.cursor = max(transaction.state.cursor, page.cursor)
      // Of pages that are not the last one too: what is shown must be of the order that the next ones are of.
      if transaction.state.seen.sequence < page.place.sequence { transaction.state.seen = page.place }
      try transaction.showCollected(besides: refused, isLast: page.isLast)
      try transaction.mergeShownByProgram(contract.merges)
      if page.isLast { transaction.state.notePulled(page.place) }
      return true
    }
  }

  /// The server refused the last push as too large: what it has in it is sent in smaller ones, and waits where it was alone.
  /// `identity`: a random number. `refused`: the push; nil for the one that is on its way.
  package func takeBackLarge(identity: UInt64, _ refused: Asked? = nil, now: UInt64) throws {
    try transaction(now: now) { transaction, _ in
      if refused?.isStill(in: transaction.state) ?? true { try transaction.takeBackLarge(identity: identity) }
    }
  }

  /// The device's clock is ahead: what is to be sent is as if it was written now, by the server's clock.
  package func setClock(to now: UInt64) throws {
    try transaction(now: now) { transaction, _ in try transaction.restamp() }
  }

  func reading<Result>(_ body: (SyncFacts) throws -> Result) throws -> Result {
    try SwiftDataError.translating {
      try store.pool.read { connection in try body(SyncFacts(connection)) }
    }
  }
}
