import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Deletions that came, and what SQLite would take along with them.
extension SyncTransaction {
  /// The collected deletions of rows that others here go with, of which the server has not said yet that they are gone.
  ///
  /// They may have been moved away, and have changed since, so that they come with a later page. SQLite would take them
  /// along, with what goes with them, of which the server will not tell, as nothing became of it.
  ///
  /// - Parameters:
  ///   - members: the classes whose rows would go along, or keep one from being deleted.
  ///   - isKept: whether such a row is one of these.
  /// - Returns: the rows.
  /// - Throws: what the database reports.
  func deletionsToWait(
    for members: [Int: [BoundContract.Member]], where isKept: (KnownRow) -> Bool
  ) throws -> Set<SyncRowID> {
    var gone: [SyncRowID] = []
    forEachCollected { record, _ in
      if let deletion = record.deletion, deletion.mergedInto == nil { gone.append(record.row) }
    }
    var (waiting, going) = (Set<SyncRowID>(), Set(gone))
    // Those that wait keep the ones with which they would go.
    var isGoingOn = true
    while isGoingOn {
      isGoingOn = false
      for row in gone where going.contains(row) {
        let isNeeded = try hasMember(row, members, besides: going) { isKept($0) || waiting.contains($0.replica.row) }
        if !isNeeded { continue }
        waiting.insert(row)
        going.remove(row)
        isGoingOn = true
      }
      // Of a chain in the wrong order one would be found each time.
      gone.reverse()
    }
    return waiting
  }

  /// Whether a row is here with others that go with it. `gone`: those that go anyway.
  private func hasMember(
    _ row: SyncRowID, _ members: [Int: [BoundContract.Member]], besides gone: Set<SyncRowID>,
    where isKept: (KnownRow) -> Bool
  ) throws -> Bool {
    guard let entity = contract.byNumber[row.entity], let members = members[entity.root.ordinal],
      let key = try known(row)?.key, key > 0
    else { return false }
    return try members.contains { member in
      let statement = try connection.statement(member.sql)
      defer { statement.reset() }
      statement.bind(key, at: 1)
      while try statement.step() {
        guard let known = try known(statement.int64(0), of: member.entity) else { return true }
        if !gone.contains(known.replica.row), isKept(known) { return true }
      }
      return false
    }
  }
}
