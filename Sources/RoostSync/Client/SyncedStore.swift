import Foundation
import Logging
package import RoostCore
import RoostEngine
import SyncMerge
import Synchronization

/// A store that is synced: what its server is told, and what becomes of what the server says.
///
/// All of it is done in transactions of the store's, one after the other, and none of it asks a network.
package final class SyncedStore: Sendable {
  private weak let weakStore: Store?
  let contract: SyncContract
  /// What the server said last, and what that makes of the contract.
  let bound = Mutex<(text: String, isForNotes: Bool, contract: BoundContract)?>(nil)
  /// The state as the last transaction left it, which most find.
  private let lastState = LastState()
  /// How many rows that history has nothing of are noted at a time.
  let sweepLimit: Int
  /// Of how many rows changes are noted at a time.
  let captureLimit: Int
  let session: Int64
  /// What the server was last asked.
  let asked = Mutex(Asked())
  /// What ``SyncState/zoneChanges`` was as the session began; nil before.
  let begun = Mutex<Int?>(nil)
  /// See ``SyncTransaction/partOrder``.
  let partOrder = Mutex<KnownPartOrder?>(nil)
  /// See ``SyncTransaction/unshowable``.
  let unshowable = Mutex<[SyncRowID: Int64]>([:])
  /// The largest key that a new row was given since the store was opened: a backup that is
  /// put in its place has given less.
  let largestKey = Atomic<Int64>(0)
  /// Up to which sequence rows were fetched, by the last page that was taken.
  let fetched = Atomic<Int64>(0)
  /// How many conflicts are new in the journal, and were not told of yet.
  let newConflicts = Atomic<Int>(0)
  /// After how many milliseconds its rows are compared with the server's again.
  let comparisonInterval: UInt64
  let mostConflicts: Int
  let pushSize: SyncPushSize

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
    store.merges.withLock { $0 = contract.attributeMerges(store.schema) }
    (self.sweepLimit, self.captureLimit) = (sweepLimit, captureLimit)
    (self.comparisonInterval, self.mostConflicts, self.pushSize) = (comparisonInterval, mostConflicts, pushSize)
    session = Int64(random & (1 << 23 - 1))
    var history = store.history
    history.isRecorded = store.recordsHistory
    try contract.check(history)
    try prepare(zone, isGiven: isZoneGiven, site)
    store.beforeDeletion.withLock { $0 = { [weak self] in self?.noteChangesBeforeDeletion() } }
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
    // A store that was prepared opens also while another program writes.
    let prepared = try store.pool.read { connection in
      try SyncTables.areThere(connection) ? try facts(connection).state?.zone : nil
    }
    if let prepared, prepared != zone, !isGiven {
      try store.logger.warning(
        """
        The store stays with the database that it was first synced with. New stores of this program have another one, and neither sees \
        the other's rows: name the first one by cloudKitDatabase: .private("\(prepared)")
        """, metadata: ["first": "\(prepared)", "new": "\(zone)"])
    }
    if let prepared, prepared == zone || !isGiven { return }
    try writing { connection in
      try SyncTables.create(connection)
      let facts = facts(connection)
      if var state = try facts.state {
        // Its identity is another account's: the program says what becomes of the rows.
        guard isGiven, state.zone != zone else { return }
        state.zone = zone
        state.noteZoneChange()
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
      let facts = facts(connection)
      var state = try facts.begunState()
      try body(&state)
      try facts.set(state)
    }
  }

  /// How many conflicts are new in the journal since somebody asked.
  package func takeNewConflicts() -> Int { newConflicts.exchange(0, ordering: .relaxed) }

  func facts(_ connection: Connection) -> SyncFacts { SyncFacts(connection, lastState) }

  func reading<Result>(_ body: (SyncFacts) throws -> Result) throws -> Result {
    try SwiftDataError.translating {
      try store.pool.read { connection in try body(facts(connection)) }
    }
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
