import RoostEngine
import SyncMerge

// What is sent together, and in which order the rest.
extension SyncTransaction {
  /// Where a row with a change is. Its key is negative if the change is its deletion.
  struct Unsent {
    let entity: BoundContract.Entity
    let key: Int64
    let bytes: Int
  }

  /// The rows that are to be sent next, and how many bytes they may have.
  ///
  /// All goes in one push if the server takes as much, so that it never has a part of what a save did, and no deletion
  /// comes without what let go of the row. So several saves go together, as a row is sent as it is by now.
  func nextRows() throws -> (rows: [Unsent], mostBytes: Int) {
    let wholeBytes = min(contract.limits.bytes, state.mostBytes ?? pushSize.wholeBytes)
    if let upTo = state.partsUpTo, try oldestTurn() ?? .max > upTo { state.partsUpTo = nil }
    if state.partsUpTo == nil {
      let rows = try firstRows(contract.limits.edits + 1)
      if rows.count <= contract.limits.edits, bytes(of: rows) <= wholeBytes { return (rows, wholeBytes) }
      state.partsUpTo = state.transaction
    }
    let most = min(contract.limits.edits, pushSize.edits)
    let rows = try firstRows(most + 1)
    let isLast = rows.count <= most && bytes(of: rows) <= wholeBytes
    if isLast { state.partsUpTo = nil }
    return (Array(rows.prefix(most)), isLast ? wholeBytes : min(wholeBytes, pushSize.bytes))
  }

  /// How much rows have. What is larger than the server takes may take less.
  private func bytes(of rows: [Unsent]) -> Int { rows.reduce(0) { $0 + min($1.bytes, contract.limits.bytes) } }

  /// The transaction of history that made the first of what is to be sent; nil for none.
  func oldestTurn() throws -> Int64? {
    try ["pk >= 0", "pk < 0"].compactMap { isThere in
      let statement = try connection.statement(
        "SELECT min(turn) FROM _roost_sync_row WHERE turn IS NOT NULL AND \(isThere)")
      defer { statement.reset() }
      return try statement.step() && !statement.isNull(0) ? statement.int64(0) : nil
    }.min()
  }

  /// The first rows, by the transactions that first changed them.
  ///
  /// Deletions come last, when the server has heard of all that let go of the rows; but first those of classes with
  /// unique values, which other rows may have by now. Rows come before those that they keep from being deleted: the
  /// server would have these stay. See ``PartOrder`` for what comes before some of them.
  private func firstRows(_ limit: Int) throws -> [Unsent] {
    var rows: [Unsent] = []
    func addDeletions(areFirst: Bool) throws {
      for entity in contract.inOrderOfDeletion
      where rows.count < limit && contract.deletedFirst.contains(entity.number) == areFirst {
        rows += try unsent("gone", "pk < 0 AND entity = \(historyNumber(entity))", limit - rows.count)
      }
    }
    try addDeletions(areFirst: true)
    let isSynced = "+entity IN (\(contract.byOrdinal.values.map(historyNumber).sqlList))"
    if rows.count < limit { rows += try unsent("turn", "pk >= 0 AND \(isSynced) ORDER BY turn", limit - rows.count) }
    try addDeletions(areFirst: false)
    return rows
  }

  /// `index`: the one that has few rows besides, as rows that are gone stay known.
  private func unsent(_ index: String, _ condition: String, _ limit: Int) throws -> [Unsent] {
    let entities = Dictionary(
      contract.byOrdinal.values.map { (historyNumber($0), $0) }, uniquingKeysWith: { first, _ in first })
    let statement = try connection.statement(
      """
      SELECT entity, pk, length(pending) FROM _roost_sync_row INDEXED BY _roost_sync_row_\(index) \
      WHERE turn IS NOT NULL AND turn < \(KnownRow.whenShown) AND \(condition) LIMIT ?
      """)
    defer { statement.reset() }
    statement.bind(limit, at: 1)
    var rows: [Unsent] = []
    while try statement.step() {
      guard let entity = entities[statement.int64(0)] else { continue }
      rows.append(Unsent(entity: entity, key: statement.int64(1), bytes: Int(statement.int64(2))))
    }
    return rows
  }
}
