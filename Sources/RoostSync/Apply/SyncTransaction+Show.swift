import Foundation
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

/// The database would not take some rows: they are to wait.
struct RefusedRows: Error {
  let rows: Set<SyncRowID>
  let reason: String
}

// The server's rows become rows of the tables.
extension SyncTransaction {
  /// Shows all that was collected, but for what cannot be shown yet.
  ///
  /// - Parameter refused: rows that are to wait, as the database would not take them before.
  /// - Throws: ``RefusedRows`` for more of them; the transaction is to be run again.
  func showCollected(besides refused: Set<SyncRowID> = []) throws {
    // References are looked at when all rows are there.
    try connection.execute("PRAGMA defer_foreign_keys = ON")
    try takeMerged()
    let waiting = try waitingRows(besides: refused)
    try giveKeys(besides: waiting)
    var work = ShownRows()
    try eachCollected { record, taken in
      try receive(record, taken: taken, isWaiting: waiting.contains(record.row), &work)
    }
    for gone in work.gone { try remove(gone.record, gone.entity) }
    try retry(work.refused)
  }

  /// What is to be done once all other rows are written.
  struct ShownRows {
    var gone: [(record: SyncRecord, entity: BoundContract.Entity)] = []
    var refused: [(record: SyncRecord, entity: BoundContract.Entity)] = []
  }

  private func receive(_ record: SyncRecord, taken: Int64, isWaiting: Bool, _ work: inout ShownRows) throws {
    guard let entity = contract.byNumber[record.row.entity] else { return }
    guard var known = try known(record.row) else {
      if !isWaiting, record.deletion != nil { try keepGone(record, entity) }
      return
    }
    let includesSent = state.outstanding.map { taken >= $0.number } ?? true
    guard let received = known.replica.receive(record, includesSent: includesSent, entity.rules) else {
      return try removeCollected(record.row)
    }
    note(received.conflicts)
    try keep(known, entity)
    if isWaiting { return }
    if received.shown.deletion != nil { return work.gone.append((received.shown, entity)) }
    do {
      try write(received.shown, &known, entity)
      try removeCollected(record.row)
    } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {
      work.refused.append((received.shown, entity))
    } catch let error as DatabaseError where error.primaryCode == DatabaseError.constraint {
      throw RefusedRows(rows: [record.row], reason: "\(error)")
    }
  }

  /// Remembers a row that was gone before this device heard of it.
  private func keepGone(_ record: SyncRecord, _ entity: BoundContract.Entity) throws {
    var row = try keep(SyncReplica(row: record.row, sequence: record.sequence), Int64.max, entity)
    try moveAside(&row, entity)
    try removeCollected(record.row)
  }

  /// Writes rows whose unique values others had, which have other values by now; or two that exchange theirs.
  private func retry(_ refused: [(record: SyncRecord, entity: BoundContract.Entity)]) throws {
    if refused.isEmpty { return }
    func write() throws {
      for (record, entity) in refused {
        guard var known = try known(record.row) else { continue }
        try self.write(record, &known, entity)
        try removeCollected(record.row)
      }
    }
    do {
      return try connection.savepoint(write)
    } catch let error as DatabaseError where error.code == DatabaseError.constraintUnique {}
    let roots = Dictionary(
      refused.map { ($0.entity.root.ordinal, $0.entity.root) }, uniquingKeysWith: { first, _ in first })
    do {
      try connection.savepoint { try connection.withoutUniqueIndexes(of: Array(roots.values), write) }
    } catch let error as DatabaseError where error.primaryCode == DatabaseError.constraint {
      throw RefusedRows(rows: Set(refused.map(\.record.row)), reason: "\(error)")
    }
  }

  // MARK: - Keys

  /// Gives each new row a key, so that others can refer to it whatever comes first.
  private func giveKeys(besides waiting: Set<SyncRowID>) throws {
    var keys: [Int: ClosedRange<Int64>] = [:]
    try eachCollected { record, _ in
      guard record.deletion == nil, !waiting.contains(record.row), let entity = contract.byNumber[record.row.entity]
      else { return }
      if let known = try known(record.row) {
        if known.key > 0 { return }
        var known = known
        return try bringBack(&known, as: try nextKey(entity, &keys), entity)
      }
      try keep(SyncReplica(row: record.row), try nextKey(entity, &keys), entity)
    }
  }

  private func nextKey(_ entity: BoundContract.Entity, _ keys: inout [Int: ClosedRange<Int64>]) throws -> Int64 {
    let ordinal = entity.root.ordinal
    if let range = keys[ordinal] {
      keys[ordinal] = range.lowerBound < range.upperBound ? range.lowerBound + 1...range.upperBound : nil
      return range.lowerBound
    }
    let statement = try connection.statement("SELECT count(*) FROM _roost_sync_inbox WHERE entity = ?")
    defer { statement.reset() }
    statement.bind(entity.number, at: 1)
    let count = try statement.step() ? max(1, min(statement.int64(0), 10_000)) : 1
    guard let first = try store.takeKeys(count, of: entity.root, connection) else {
      throw SwiftDataError(
        .modelValidationFailure, "The table has no keys left for rows of the server.", model: entity.root.name,
        remedy: "Look for a row with a \(primaryKeyColumn) that another program gave it, and give it a smaller one.")
    }
    if count > 1 { keys[ordinal] = first + 1...first + count - 1 }
    return first
  }
}
