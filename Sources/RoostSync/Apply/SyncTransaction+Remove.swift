import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Rows that are gone at the server go here too.
extension SyncTransaction {
  typealias GoneRow = (record: SyncRecord, entity: BoundContract.Entity)

  /// Removes rows: those that others need once these are gone, and those that need each other together.
  func remove(_ gone: [GoneRow]) throws {
    if gone.isEmpty { return }
    let leftOutRows = try LeftOutRows(store, besides: contract.byOrdinal.values.map(\.root), connection)
    try removeAll(gone)
    try leftOutRows.forgetGone(connection)
  }

  private func removeAll(_ gone: [GoneRow]) throws {
    var (rest, areInOrder) = (gone, false)
    while !rest.isEmpty {
      var waiting: [GoneRow]
      do {
        waiting = try rest.filter { try !remove([$0]) }
      } catch let error as DatabaseError where error.isOfTooManyCascades {
        if areInOrder { return try keepNeeded(rest) }
        (rest, areInOrder) = (try membersFirst(rest), true)
        continue
      }
      if waiting.count == rest.count {
        let needed = try neededRows(waiting)
        guard try remove(waiting.filter { !needed.contains($0.record.row) }), needed.count < rest.count else {
          return try keepNeeded(waiting)
        }
        waiting.removeAll { !needed.contains($0.record.row) }
      }
      // Of a chain in the wrong order one would go each time.
      rest = waiting.reversed()
    }
  }

  /// Rows in an order in which none takes others along: SQLite follows no more than 1,000 that go with each other.
  private func membersFirst(_ rows: [GoneRow]) throws -> [GoneRow] {
    var byKey: [Int: [Int64: GoneRow]] = [:]
    for row in rows {
      if let key = try known(row.record.row)?.key { byKey[row.entity.root.ordinal, default: [:]][key] = row }
    }
    var (ordered, visited) = ([GoneRow](), Set<SyncRowID>())
    var stack = rows.reversed().map { (row: $0, isEntered: false) }
    while let (row, isEntered) = stack.popLast() {
      if isEntered {
        ordered.append(row)
        continue
      }
      guard visited.insert(row.record.row).inserted else { continue }
      stack.append((row, true))
      guard let key = try known(row.record.row)?.key else { continue }
      for member in contract.members[row.entity.root.ordinal] ?? [] {
        let keys = try connection.keys(member.sql, key)
        stack += keys.compactMap { byKey[member.entity.root.ordinal]?[$0] }.map { ($0, false) }
      }
    }
    return ordered
  }

  /// Those of some rows that rows which stay must have, directly or by others of them.
  private func neededRows(_ rows: [GoneRow]) throws -> Set<SyncRowID> {
    var going: [Int: [Int64: SyncRowID]] = [:]
    for (record, entity) in rows {
      if let key = try known(record.row)?.key, key > 0 { going[entity.root.ordinal, default: [:]][key] = record.row }
    }
    // By the one that must have them.
    var needs: [SyncRowID: [SyncRowID]] = [:]
    var (needed, waiting) = (Set<SyncRowID>(), [SyncRowID]())
    for (_, entity) in Dictionary(rows.map { ($0.entity.root.ordinal, $0.entity) }, uniquingKeysWith: { $1 }) {
      for property in store.schema.needs(of: entity.root, besides: { _ in false }) {
        let others = going[property.owner.root.ordinal] ?? [:]
        for (key, row) in going[entity.root.ordinal] ?? [:] where !needed.contains(row) {
          // One more than may go is enough to find one that stays.
          for referrer in try connection.referrers(property, to: key, limit: others.count + 1) {
            if let other = others[referrer] {
              needs[other, default: []].append(row)
            } else if needed.insert(row).inserted {
              waiting.append(row)
            }
          }
        }
      }
    }
    while let row = waiting.popLast() {
      for other in needs[row] ?? [] where needed.insert(other).inserted { waiting.append(other) }
    }
    return needed
  }

  /// Removes rows at once. Returns false, with nothing done, where others must have one, and of
  /// which the server has yet to hear.
  private func remove(_ rows: [GoneRow]) throws -> Bool {
    var present: [(known: KnownRow, stored: StoredRow?, row: GoneRow)] = []
    for row in rows {
      guard let known = try known(row.record.row) else { continue }
      present.append((known, known.key > 0 ? try storedRow(known.key, row.entity) : nil, row))
    }
    let keys = present.compactMap { known, _, row in known.key > 0 ? (known.key, row.entity) : nil }
    guard try keys.isEmpty || delete(keys) else { return false }
    for (var known, stored, (record, entity)) in present {
      known.mergedInto = record.deletion?.mergedInto
      // It can never be sent, and there is no row any more that could be made smaller.
      if known.isTooLarge, let deletion = record.deletion,
        let conflict = known.replica.discardPending(for: deletion)
      {
        note([conflict])
      }
      // Not before: a row that stays has its files.
      for (field, column) in zip(entity.fields, entity.columns) {
        if let column, let stored { release(stored.columns[column], field) }
      }
      try moveAside(&known, entity)
      try keep(known, entity)
      inbox.remove(known.replica.row)
    }
    return true
  }

  private func delete(_ rows: [(key: Int64, entity: BoundContract.Entity)]) throws -> Bool {
    struct AreNeeded: Error {}
    do {
      try connection.savepoint {
        // Those that must have each other let go first.
        if rows.count > 1 {
          for (_, rows) in Dictionary(grouping: rows, by: \.entity.root.ordinal) {
            try store.releaseRequired(of: [rows[0].entity.root], keys: rows.map(\.key), connection)
          }
        }
        for (key, entity) in rows {
          let statement = try connection.statement(entity.sql.delete)
          statement.bind(key, at: 1)
          try statement.run()
        }
        if connection.hasDanglingReferences { throw AreNeeded() }
      }
    } catch is AreNeeded {
      return false
    } catch let error as DatabaseError {
      // A reference that may not be NULL.
      if error.primaryCode == DatabaseError.constraint || rows.count > 1 && error.isOfTooManyCascades { return false }
      throw error
    }
    written.formUnion(rows.map(\.entity.root.table))
    return true
  }
}
