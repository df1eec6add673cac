import Logging
import RoostCore
import RoostEngine
import RoostQuery
import SyncMerge
import Synchronization

// What reads and writes rows does so in transactions of the store.
extension SyncedStore {
  /// Runs what reads or writes rows: in one transaction, after what programs changed was noted.
  ///
  /// `isDurable`: whether no power cut may take it back, as the server is told of it next.
  func transaction<Result>(
    now: UInt64, isDurable: Bool = false, _ body: (SyncTransaction, RefusedRows) throws -> Result
  ) throws -> Result {
    let store = try store
    store.ensureIndexes()
    var refused = RefusedRows()
    while true {
      do {
        return try transaction(now: now, isDurable: isDurable) { transaction in
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

  /// `isForNotes`: whether all that is done is to note what programs changed. `prepare`: changes what the file says of
  /// the session, before it is read.
  func transaction<Result>(
    now: UInt64, isDurable: Bool = false, isForNotes: Bool = false,
    after prepare: (SyncFacts) throws -> Void = { _ in },
    _ body: (SyncTransaction) throws -> Result
  ) throws -> Result {
    let store = try store
    var conflicts = 0
    let result: Result = try writingRows(isDurable: isDurable) { connection, files in
      let facts = facts(connection)
      try prepare(facts)
      guard let state = try facts.state, let contract = try boundContract(facts, isForNotes: isForNotes) else {
        throw SyncedStoreError.notBegun
      }
      let transaction = try SyncTransaction(
        store, connection, contract, state, now: now, session: session, pushSize, files: files)
      transaction.state.nextKey = max(state.nextKey, largestKey.load(ordering: .relaxed))
      // Another program may have noted changes since.
      transaction.partOrder = partOrder.withLock(\.self).flatMap { $0.transaction == state.transaction ? $0 : nil }
      try transaction.noteProgram()
      try transaction.leaveStandIns()
      try transaction.capture(captureLimit, sweep: sweepLimit)
      return WrittenBySync(result: try body(transaction), tables: { transaction.written }) { own in
        // What was just written the server said itself.
        if let own { transaction.state.transaction = own }
        conflicts = try transaction.noteConflicts(keeping: self.mostConflicts)
        try transaction.inbox.write(to: connection)
        self.largestKey.max(transaction.state.nextKey, ordering: .relaxed)
        transaction.partOrder?.transaction = transaction.state.transaction
        self.partOrder.withLock { $0 = transaction.state.partsUpTo == nil ? nil : transaction.partOrder }
        if transaction.state == state { return }
        try StoreCatalog(connection).set(.consumer(Self.author), "\(transaction.state.transaction)")
        try facts.set(transaction.state)
      }
    }
    newConflicts.add(conflicts, ordering: .relaxed)
    return result
  }

  /// What was written to rows, and what is to be written beside them once history has its transaction.
  struct WrittenBySync<Result> {
    let result: Result
    let tables: () -> Set<String>
    /// Given the number of the transaction in history; nil if it has none.
    let finish: (Int64?) throws -> Void
  }

  /// Runs what writes rows: in one transaction, which history has as this author's.
  func writingRows<Result>(
    isDurable: Bool = false, _ body: (Connection, ExternalWrites?) throws -> WrittenBySync<Result>
  ) throws -> Result {
    let store = try store
    return try SwiftDataError.translating(SwiftDataError.saving) {
      try store.completeBackfillsInParts()
      return try store.writing { connection in
        let files = store.files.map {
          ExternalWrites($0, threshold: store.configuration.storeOptions.externalStorageThreshold, mayRelease: true)
        }
        let (written, recorded) = try store.fullySynchronized(connection, if: isDurable) {
          try store.transaction(connection, with: files) {
            try store.completeBackfills(connection)
            let isHeard = store.observers.isAnybodyListening()
            let (written, recorded) = try store.recording(
              by: HistoryAuthor(author: Self.author), isHeard: isHeard, connection
            ) { try body(connection, files) }
            try written.finish(recorded.transaction)
            return (written, recorded)
          }
        }
        return (written.result, written.tables(), recorded)
      }.result
    }
  }

  /// What history has as the author of what the server sent.
  package static let author = "roost.sync"

  /// `isForNotes`: whether earlier sessions' numbers will do for classes of which the last one has none. What is
  /// written before the next session must be noted by then: a later program may not sync it.
  func boundContract(_ facts: SyncFacts, isForNotes: Bool = false) throws -> BoundContract? {
    guard let text = try facts.sessionText else { return nil }
    if let known = bound.withLock({ $0 }), known.text == text, isForNotes || !known.isForNotes { return known.contract }
    let session = try SyncFacts.session(text)
    let full = BoundContract(contract, session)
    guard let found = full ?? (isForNotes ? BoundContract(contract, session.withEarlierClasses(of: contract)) : nil)
    else { return nil }
    bound.withLock { $0 = (text, full == nil, found) }
    return found
  }
}
