import Foundation
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

/// The database would not take some rows: they are to wait.
struct RefusedRows: Error {
  var rows: Set<SyncRowID> = []
  /// Those that only a later program can show, such as one without a value that this one must have.
  var unshowable: Set<SyncRowID> = []
  /// Those that only a later program can show beside others with the same unique values.
  var doubled: Set<SyncRowID> = []
  var reason = ""

  /// Adds others. Returns false where there are none.
  mutating func add(_ other: RefusedRows) -> Bool {
    let former = (rows, unshowable, doubled)
    rows.formUnion(other.rows)
    unshowable.formUnion(other.unshowable)
    doubled.formUnion(other.doubled)
    return former != (rows, unshowable, doubled)
  }
}

// The server's rows become rows of the tables.
extension SyncTransaction {
  /// Takes rows of the server's.
  ///
  /// `taken`: the number of this device's last push that they have in them.
  func collect(_ records: [SyncRecord], taken: Int64) throws {
    // Of a class that this program leaves out, another one on the file may show them: it began last. Those of all other
    // classes a program fetches anew that begins with them.
    func isKnown(_ record: SyncRecord) -> Bool {
      contract.byNumber[record.row.entity] != nil || contract.leftOutNumbers.contains(record.row.entity)
    }
    let known = records.allSatisfy(isKnown) ? records : records.filter(isKnown)
    // What the device saw of the server, whatever it wrote itself since.
    var seenTime = state.seenTime ?? 0
    for record in known {
      for (_, field) in record.fields {
        see(field)
        seenTime = max(seenTime, field.stamp.time)
      }
      if let deletion = record.deletion {
        state.clock.see(deletion.stamp)
        seenTime = max(seenTime, deletion.stamp.time)
      }
    }
    if !known.isEmpty { state.seenTime = seenTime }
    inbox = try Inbox(connection)
    // Of classes that a session before this one knew.
    inbox.removeAll { !isKnown($0) }
    inbox.add(known, taken: taken)
  }

  private func see(_ field: SyncField) {
    state.clock.see(field.stamp)
    for other in field.others { state.clock.see(other.stamp) }
  }

  /// Shows all that was collected, but for what cannot be shown yet.
  ///
  /// - Parameters:
  ///   - refused: rows that are to wait, as the database would not take them before.
  ///   - isLast: whether the server has no others.
  /// - Throws: ``RefusedRows`` for more of them; the transaction is to be run again.
  func showCollected(besides refused: RefusedRows, isLast: Bool) throws {
    var refused = refused
    // As long as a row is what it was, and the program is the same, so is the answer.
    refused.unshowable.formUnion(unshowable.filter { inbox.sequence(of: $0.key) == $0.value }.keys)
    try takeMerged(besides: refused.rows)
    try mergeTooLarge(besides: refused.rows)
    let waiting = try waitingRows(besides: refused, isLast: isLast)
    try giveKeys(besides: waiting)
    var work = ShownRows()
    try forEachCollected { record, taken in
      try receive(record, taken: taken, isWaiting: !waiting.isEmpty && waiting.contains(record.row), &work)
    }
    if !work.waiting.reason.isEmpty { throw work.waiting }
    try keepNewRows()
    try finish(work, isLast: isLast)
    if !work.gone.isEmpty { try noteTakenAlong() }
    try separateTies()
    if hasMergedLarge { try retrySetAside() }
  }

  /// Goes through the server's rows that are not shown yet, in the zone's order; `body` may remove them.
  func forEachCollected(_ body: (SyncRecord, _ taken: Int64) throws -> Void) rethrows {
    for index in 0..<inbox.count {
      if let entry = inbox[index] { try body(entry.record, entry.taken) }
    }
  }

  /// What is to be done once all other rows are written.
  struct ShownRows {
    var gone: [GoneRow] = []
    var refused: [Refused] = []
    /// Those that are to wait after all.
    var waiting = RefusedRows()

    struct Refused {
      let record: SyncRecord
      let entity: BoundContract.Entity
      let isFirst: Bool
    }
  }

  private func receive(_ record: SyncRecord, taken: Int64, isWaiting: Bool, _ work: inout ShownRows) throws {
    guard let entity = contract.byNumber[record.row.entity] else { return }
    guard var known = try known(record.row) else {
      if !isWaiting, record.deletion != nil { try keepGone(record, entity) }
      return
    }
    if isWaiting {
      if !includesSent(taken) || known.replica.isAcknowledged { return }
      known.replica.acknowledge()
      return try keep(known, entity)
    }
    let isFirst = known.replica.seen == 0
    // The server's lists have the rows that others became: what was taken out of one here is one of these.
    try known.replica.redirect(merged)
    guard let received = known.replica.receive(record, includesSent: includesSent(taken), entity.rules) else {
      return inbox.remove(record.row)
    }
    note(received.conflicts)
    if known.turn == KnownRow.whenShown { known.turn = state.transaction }
    if received.shown.deletion != nil {
      try keep(known, entity)
      return work.gone.append((received.shown, entity))
    }
    do {
      try write(received.shown, &known, entity, isFirst: isFirst)
      inbox.remove(record.row)
    } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {
      try keep(known, entity)
      work.refused.append(ShownRows.Refused(record: received.shown, entity: entity, isFirst: isFirst))
    } catch let error as DatabaseError where error.primaryCode == DatabaseError.constraint {
      // What its row lacks, or has, is no matter of other rows.
      let isUnshowable = [
        DatabaseError.constraintNotNull, DatabaseError.constraintDatatype, DatabaseError.constraintCheck,
      ]
      .contains(error.code)
      if isUnshowable { work.waiting.unshowable.insert(record.row) } else { work.waiting.rows.insert(record.row) }
      work.waiting.reason = "\(error)"
    }
  }

  /// Whether rows have what is on its way in them. `taken`: the number of this device's last push that they have.
  func includesSent(_ taken: Int64) -> Bool { state.outstanding.map { $0.probe == nil && taken >= $0.number } ?? true }

  /// Remembers a row that was gone before this device heard of it.
  private func keepGone(_ record: SyncRecord, _ entity: BoundContract.Entity) throws {
    var row = KnownRow(key: Int64.max, replica: SyncReplica(row: record.row, sequence: record.sequence))
    row.mergedInto = record.deletion?.mergedInto
    try keep(row, entity)
    try moveAside(&row, entity)
    inbox.remove(record.row)
  }

  /// Writes the rows that others were in the way of, and removes those that are gone.
  ///
  /// Rows may exchange their unique values, or have those of a row that goes.
  private func finish(_ work: ShownRows, isLast: Bool) throws {
    if try work.refused.isEmpty || connection.savepointIfUnique({ try write(work.refused) }) {
      try checkReferences()
      return try remove(work.gone)
    }
    let roots = Dictionary(
      work.refused.map { ($0.entity.root.ordinal, $0.entity.root) }, uniquingKeysWith: { first, _ in first })
    let isDone = try connection.savepointIfUnique {
      try connection.withoutUniqueIndexes(of: Array(roots.values)) {
        try write(work.refused)
        try checkReferences()
        try remove(work.gone)
      }
    }
    if !isDone {
      // New ones are most likely what is there twice; others may exchange their values without them.
      let new = work.refused.filter(\.isFirst)
      let rows = Set((new.isEmpty ? work.refused : new).map(\.record.row))
      // A later program may have rows of the same values. As long as something is to be sent
      // they may be other rows' by then.
      let isDoubled = try isLast && keys("(pending IS NOT NULL OR sent IS NOT NULL)", limit: 1).isEmpty
      throw RefusedRows(
        rows: isDoubled ? [] : rows, doubled: isDoubled ? rows : [], reason: "Other rows have their unique values.")
    }
  }

  private func write(_ rows: [ShownRows.Refused]) throws {
    for row in rows {
      guard var known = try known(row.record.row) else { continue }
      try write(row.record, &known, row.entity, isFirst: row.isFirst)
      inbox.remove(row.record.row)
    }
  }

  /// Has rows wait that refer to one which is not there after all.
  private func checkReferences() throws {
    guard connection.hasDanglingReferences else { return }
    var rows: Set<SyncRowID> = []
    for entity in contract.byOrdinal.values {
      let statement = try connection.statement("SELECT rowid FROM pragma_foreign_key_check(?)")
      defer { statement.reset() }
      statement.bind(entity.root.table, at: 1)
      while try statement.step() {
        if let known = try known(statement.int64(0), of: entity) { rows.insert(known.replica.row) }
      }
      statement.reset()
      for case .links(let join, let destination) in entity.fields.map(\.kind) {
        for key in try danglingOwners(join, destination) {
          if let known = try known(key, of: entity) { rows.insert(known.replica.row) }
        }
      }
    }
    throw RefusedRows(rows: rows, reason: "They refer to rows that are not there.")
  }

  /// The keys of the rows whose lists have one that is not there.
  private func danglingOwners(_ join: JoinTable, _ destination: EntityInfo) throws -> [Int64] {
    let (owner, linked) = (quotedIdentifier(join.ownerColumn), quotedIdentifier(join.destinationColumn))
    let key = quotedIdentifier(primaryKeyColumn)
    return try connection.keys(
      "SELECT \(owner) FROM \(quotedIdentifier(join.name)) WHERE NOT EXISTS "
        + "(SELECT 1 FROM \(quotedIdentifier(destination.root.table)) WHERE \(key) = \(linked))")
  }

  // MARK: - Keys

  /// Gives each new row a key, so that others can refer to it whatever comes first.
  private func giveKeys(besides waiting: Set<SyncRowID>) throws {
    var keys: [Int: ClosedRange<Int64>] = [:]
    newKeys.reserveCapacity(inbox.count)
    try forEachCollected { record, taken in
      if record.deletion != nil || (!waiting.isEmpty && waiting.contains(record.row)) { return }
      guard let entity = contract.byNumber[record.row.entity] else { return }
      if let known = try known(record.row) {
        if known.key > 0 || staysGone(known, Inbox.Entry(record: record, taken: taken)) { return }
        var known = known
        try bringBack(&known, as: try nextKey(entity, &keys), entity)
      } else {
        newKeys[record.row] = try nextKey(entity, &keys)
      }
    }
  }

  /// Whether a row that is gone here is not to be there again, as this device has deleted it, of which the server has
  /// yet to hear; or as the server's is what it was before it went.
  func staysGone(_ known: KnownRow, _ entry: Inbox.Entry) -> Bool {
    shown(entry.record, entry.taken, by: known).map { $0.deletion != nil } ?? true
  }

  /// What a record and this device's own edits make of its row; nil where it is older than
  /// what the device has seen, or gone.
  func shown(_ record: SyncRecord, _ taken: Int64) throws -> SyncRecord? {
    guard let known = try known(record.row) else { return record }
    return shown(record, taken, by: known).flatMap { $0.deletion == nil ? $0 : nil }
  }

  private func shown(_ record: SyncRecord, _ taken: Int64, by known: KnownRow) -> SyncRecord? {
    var replica = known.replica
    guard let rules = contract.byNumber[replica.row.entity]?.rules else { return nil }
    return replica.receive(record, includesSent: includesSent(taken), rules)?.shown
  }

  private func nextKey(_ entity: BoundContract.Entity, _ keys: inout [Int: ClosedRange<Int64>]) throws -> Int64 {
    let ordinal = entity.root.ordinal
    if let range = keys[ordinal] {
      keys[ordinal] = range.lowerBound < range.upperBound ? range.lowerBound + 1...range.upperBound : nil
      return range.lowerBound
    }
    let count = Int64(inbox.count(of: entity.number))
    guard let first = try store.takeKeys(count, of: entity.root, connection) else {
      throw SwiftDataError(
        .modelValidationFailure, "The table has no keys left for rows of the server.", model: entity.root.name,
        remedy: "Look for a row with a \(primaryKeyColumn) that another program gave it, and give it a smaller one.")
    }
    if count > 1 { keys[ordinal] = first + 1...first + count - 1 }
    return first
  }
}

extension Connection {
  /// Returns false, with nothing done, where a unique value would be there twice.
  fileprivate func savepointIfUnique(_ body: () throws -> Void) throws -> Bool {
    do {
      try savepoint(body)
      return true
    } catch let error as DatabaseError {
      if error.code == DatabaseError.constraintUnique { return false }
      throw error
    }
  }
}
