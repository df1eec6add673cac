import RoostEngine
import SyncMerge

// In which order changes are sent that a push may not have room for all of.
extension SyncTransaction {
  /// Where a row with a change is. Its key is negative if the change is its deletion.
  private struct Unsent {
    let entity: BoundContract.Entity
    let key: Int64
    let turn: Int64
  }

  /// The rows that are to be sent next, as many as a push has room for: by the transactions that first changed them.
  ///
  /// Of each transaction the deletions go first, as new rows may have the unique values of those that are gone. Among them rows go
  /// before those that they keep from being deleted: the server would have these stay.
  func nextRows() throws -> [(entity: BoundContract.Entity, key: Int64)] {
    let most = contract.limits.edits
    let isSynced = "+entity IN (\(contract.byOrdinal.values.map(historyNumber).sqlList))"
    var rows = try unsent("\(isSynced) AND turn < ?1 ORDER BY turn", KnownRow.whenShown, most)
    // There may be more of the last transaction than there is room for, so that it is read in the order in which it is sent.
    if rows.count == most, let last = rows.last?.turn {
      rows.removeAll { $0.turn == last }
      for entity in contract.inOrderOfDeletion where rows.count < most {
        rows += try unsent("turn = ?1 AND entity = ?3 AND pk < 0", last, most - rows.count, historyNumber(entity))
      }
      if rows.count < most { rows += try unsent("\(isSynced) AND turn = ?1 AND pk >= 0", last, most - rows.count) }
    }
    let ranks = Dictionary(
      contract.inOrderOfDeletion.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    let ordered = rows.enumerated().sorted { left, right in
      func order(_ row: (offset: Int, element: Unsent)) -> (Int64, Int, Int) {
        let rank = row.element.key < 0 ? ranks[row.element.entity.number] ?? ranks.count : ranks.count + 1
        return (row.element.turn, rank, row.offset)
      }
      return order(left) < order(right)
    }
    return ordered.map { ($0.element.entity, $0.element.key) }
  }

  private func unsent(
    _ condition: String, _ turn: Int64, _ limit: Int, _ entity: Int64? = nil
  ) throws -> [Unsent] {
    let entities = Dictionary(
      contract.byOrdinal.values.map { (historyNumber($0), $0) }, uniquingKeysWith: { first, _ in first })
    let statement = try connection.statement(
      "SELECT entity, pk, turn FROM _roost_sync_row WHERE turn IS NOT NULL AND \(condition) LIMIT ?2")
    defer { statement.reset() }
    statement.bind(turn, at: 1)
    statement.bind(limit, at: 2)
    if let entity { statement.bind(entity, at: 3) }
    var rows: [Unsent] = []
    while try statement.step() {
      guard let entity = entities[statement.int64(0)] else { continue }
      rows.append(Unsent(entity: entity, key: statement.int64(1), turn: statement.int64(2)))
    }
    return rows
  }
}
