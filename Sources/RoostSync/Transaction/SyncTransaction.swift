import Foundation
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

/// What is done with a store's rows and what is known of them, in one transaction of SQLite's.
///
/// A row that this program shows is the server's row with what the device has yet to send merged in. What programs
/// changed is noted before anything of the server's is written, in the same transaction, so that nothing comes between.
final class SyncTransaction {
  let store: Store
  let connection: Connection
  let contract: BoundContract
  var state: SyncState
  /// Milliseconds since 1970.
  let now: UInt64
  /// A random number of 23 bits, another one each time that the store is opened.
  let session: Int64
  let pushSize: SyncPushSize
  /// The numbers that history has for classes: what rows are kept by, as it keeps them whatever they are called.
  private let historyNumbers: [Int: Int64]
  var conflicts: [SyncConflict] = []
  /// The server's rows that are not shown yet.
  var inbox = Inbox()
  /// Those that the program's tables could not hold since the session began, and the sequences of
  /// the changes that made them so.
  var unshowable: [SyncRowID: Int64] = [:]
  /// The one that was made for the parts before this one; nil where something was noted since.
  var partOrder: KnownPartOrder?
  /// The time of the last stamp before the changes that are being noted.
  var captureStart: UInt64 = 0
  /// Whether more of them are to be noted after those that are being looked at.
  var hasMoreChanges = false
  /// What was to be sent of rows before, where there were more: a row's key may turn out to be another row's by now.
  var formerEdits: [CapturedChanges.Place: SyncEdit] = [:]
  /// The fields that are what they were, by row, though changes are still to be noted that made them so.
  var unchanged: [CapturedChanges.Place: Set<Int>] = [:]
  /// What saves have written over that their contexts did not know.
  var overwritten = OverwrittenValues()
  /// The keys of rows that are new to this device, until they are kept.
  var newKeys: [SyncRowID: Int64] = [:]
  /// Rows that were shown, and are new: see ``keepNewRows()``.
  var newRows: [(row: KnownRow, entity: BoundContract.Entity)] = []
  private var largestKeys = LargestKeys()
  /// The rows shown that have the position of another member of a list.
  var tied: Set<SyncRowID> = []
  /// Positions in lists that were found to be taken. See ``ListPositions/free(from:but:_:)``.
  var takenPositions: [MemberList: [Double: Double]] = [:]
  /// The files of large values; nil for a store that has none.
  let files: ExternalWrites?
  /// What the deletions of each transaction of history are stamped with.
  var deletionStamps: [Int64: SyncStamp] = [:]
  /// How many bytes of edits were kept.
  var keptBytes = 0
  /// Whether a row for which others wait, as it was too large, became another one.
  var hasMergedLarge = false
  /// The tables written.
  var written: Set<String> = []
  /// What the keys of new rows are larger than by now, by the ordinals of their classes.
  var raised: [Int: Int64] = [:]

  init(
    _ store: Store, _ connection: Connection, _ contract: BoundContract, _ state: SyncState, now: UInt64,
    session: Int64, _ pushSize: SyncPushSize, files: ExternalWrites?
  ) throws {
    self.store = store
    self.connection = connection
    self.contract = contract
    self.state = state
    self.now = now
    self.session = session
    self.pushSize = pushSize
    self.files = files
    let fields = try store.historyNumbers(connection).fields
    historyNumbers = Dictionary(
      contract.byOrdinal.values.compactMap { entity in
        fields.number(of: entity.root).map { (entity.root.ordinal, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What the rows of a class are kept by.
  func historyNumber(_ entity: BoundContract.Entity) -> Int64 { historyNumbers[entity.root.ordinal] ?? -1 }

  /// Whether nothing can be known of a row, as its key is larger than all that are known of its site.
  func isBeyondKnown(_ row: SyncRowID, _ entity: BoundContract.Entity) throws -> Bool {
    try largestKeys.isBeyond(row) {
      let statement = try connection.statement("SELECT max(key) FROM _roost_sync_row WHERE entity = ? AND site = ?")
      defer { statement.reset() }
      statement.bind(historyNumber(entity), at: 1)
      statement.bind(Int64(bitPattern: row.site), at: 2)
      return try statement.step() && !statement.isNull(0) ? statement.int64(0) : .min
    }
  }

  /// A row is known from now on.
  func noteKnown(_ row: SyncRowID) {
    largestKeys.note(row)
    newKeys[row] = nil
  }

  func stamp(_ time: UInt64? = nil) -> SyncStamp { state.clock.stamp(now: time ?? now) }

  func note(_ more: [SyncConflict]) { conflicts += more }
}
