import RoostCore
import RoostEngine
import RoostSQL
package import SyncMerge

/// What came of comparing a store's rows with the server's.
package enum SyncComparison: Hashable, Sendable {
  /// They are the same.
  case same
  /// Nobody knows: something was written meanwhile, here or there, or waits.
  case unknown
  /// The rows of some models differ. `isFetchedAnew`: whether all of the server's are asked for from the start now.
  case differs(models: [String], isFetchedAnew: Bool)
}

// Whether the store has what the server has.
extension SyncedStore {
  /// The models whose rows, or rows' last changes, are not those of a zone.
  ///
  /// - Parameter digest: the zone's.
  /// - Returns: their names; nil where something waits, or the store is at another place than the digest.
  /// - Throws: what the database reports.
  package func differences(from digest: SyncDigest) throws -> [String]? {
    try SwiftDataError.translating {
      try store.pool.read { connection in
        // All of it as it is at one moment.
        try connection.transaction(.deferred) {
          let facts = facts(connection)
          // What was sent since the digest was made is not in it, also where another program on the file sent it.
          guard let state = try facts.state, let contract = try boundContract(facts), state.pulled == digest.place,
            state.seen.sequence <= digest.place.sequence, state.outstanding == nil, !isSweeping(state),
            try counts(connection).isUpToDate
          else { return nil }
          // What other programs wrote is no transaction before somebody looks.
          let (noted, latest) = try HistoryTables.notedChanges(connection)
          if noted != latest { return nil }
          let unknown = try unknownRows(connection)
          let fields = try store.historyNumbers(connection).fields
          let differing = try contract.byOrdinal.values.filter { entity in
            try rows(of: entity, fields, unknown, connection) != digest.rows[entity.number] ?? SyncDigest.Rows()
          }
          return differing.map(\.root.name).sorted()
        }
      }
    }
  }

  /// Compares the rows with the server's, and sees to it that they are fetched from the start if they are others: once,
  /// until they are the same again.
  ///
  /// - Parameters:
  ///   - digest: what the server has.
  ///   - now: milliseconds since 1970.
  /// - Returns: what came of it.
  /// - Throws: what the database reports.
  func compare(with digest: SyncDigest, now: UInt64) throws -> SyncComparison {
    guard let models = try differences(from: digest) else { return .unknown }
    var comparison = SyncComparison.same
    try changeState { state in
      if models.isEmpty {
        (state.compared, state.isFetchedAnew) = (now, nil)
      } else {
        comparison = .differs(models: models, isFetchedAnew: state.isFetchedAnew == nil)
        if state.isFetchedAnew == nil { (state.pulled, state.cursor, state.isFetchedAnew) = (.start, 0, true) }
      }
    }
    return comparison
  }

  /// The rows of a class that are there, and the sequences of the changes of them that were seen last. The server has
  /// no row that is not known here, so that it counts as one more.
  private func rows(
    of entity: BoundContract.Entity, _ fields: HistoryFields, _ unknown: [SyncRowID: Int64?], _ connection: Connection
  ) throws -> SyncDigest.Rows {
    var rows = SyncDigest.Rows()
    let table = quotedIdentifier(entity.root.table)
    let statement = try connection.statement(
      """
      SELECT site, key, sequence FROM \(table) LEFT JOIN _roost_sync_row ON entity = ? AND pk = \
      \(table).\(quotedIdentifier(primaryKeyColumn))
      """)
    defer { statement.reset() }
    statement.bind(fields.number(of: entity.root) ?? -1, at: 1)
    while try statement.step() {
      let row = SyncRowID(
        entity: entity.number, site: UInt64(bitPattern: statement.int64(0)), key: statement.int64(1))
      // What a later program made of it is not shown.
      if unknown[row] != nil { continue }
      rows.add(row, at: SyncReplica(row: row, sequence: statement.int64(2)).seen)
    }
    for case (let row, let sequence?) in unknown where row.entity == entity.number { rows.add(row, at: sequence) }
    return rows
  }

  /// Whether there are rows of the server's that are not shown yet.
  func hasWaitingRows() throws -> Bool {
    try SwiftDataError.translating {
      try store.pool.read { try !$0.strings("SELECT key FROM _roost_sync_inbox LIMIT 1").isEmpty }
    }
  }

  /// Whether there are such rows besides changes that are larger than the server takes, for which they may wait.
  func hasRowsBehindLarge() throws -> Bool {
    try SwiftDataError.translating {
      try store.pool.read { connection in
        let large = "SELECT 1 FROM _roost_sync_row WHERE \(SyncTransaction.isSetAside)"
        return try !connection.strings(
          "SELECT key FROM _roost_sync_inbox WHERE NOT is_unknown AND EXISTS (\(large)) LIMIT 1"
        ).isEmpty
      }
    }
  }

  /// The server's rows that only a later program, or another one on the file, can show, with the sequences of their
  /// last changes; nil for one that is gone.
  private func unknownRows(_ connection: Connection) throws -> [SyncRowID: Int64?] {
    let statement = try connection.statement("SELECT body FROM _roost_sync_inbox WHERE is_unknown")
    defer { statement.reset() }
    var rows: [SyncRowID: Int64?] = [:]
    while try statement.step() {
      let record = try statement.decoded(SyncRecord.self, 0)
      rows.updateValue(record.deletion == nil ? record.sequence : nil, forKey: record.row)
    }
    return rows
  }
}
