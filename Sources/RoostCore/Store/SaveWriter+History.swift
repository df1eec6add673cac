import RoostEngine

// New rows come in ranges of keys: one change of history for a range, in place of one for each row by a trigger.
extension SaveWriter {
  /// From how many rows on it costs less to prepare statements anew than to run a trigger for each.
  private static var smallestRange: Int { 200 }

  /// Inserts rows of one entity.
  mutating func insertRecorded(_ indexes: ArraySlice<Int>) throws {
    guard indexes.count >= Self.smallestRange, let first = indexes.first else { return try insert(indexes) }
    let entity = store.schema.entities[saved.rows[first].ordinal]
    guard store.recordsHistory(of: entity), try hasNoTriggersButHistory(entity.table),
      let number = try HistoryFields(connection).number(of: entity)
    else { return try insert(indexes) }
    let connection = connection
    try connection.withoutTriggers { try insert(indexes) }
    let statement = try connection.statement(
      "INSERT INTO _roost_change (entity, kind, first, last) VALUES (?, \(HistoryTables.Kind.inserted.rawValue), ?, ?)")
    for range in ranges(of: indexes) {
      statement.bind(number, at: 1)
      statement.bind(range.lowerBound, at: 2)
      statement.bind(range.upperBound, at: 3)
      try statement.run()
    }
  }

  /// Whether no index of texts, no backfill and no other program needs to hear of the table's rows.
  private func hasNoTriggersButHistory(_ table: String) throws -> Bool {
    let statement = try connection.statement(
      """
      SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE \
      AND substr(name, 1, length(?)) <> ?
      """)
    defer { statement.reset() }
    statement.bind(table, at: 1)
    statement.bind(HistoryTriggers.prefix, at: 2)
    statement.bind(HistoryTriggers.prefix, at: 3)
    return try statement.step() && statement.int64(0) == 0
  }

  private func ranges(of indexes: ArraySlice<Int>) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    for index in indexes {
      let key = saved.rows[index].key
      if let last = ranges.last, last.upperBound == key - 1, key - last.lowerBound < HistoryTables.largestRange {
        ranges[ranges.count - 1] = last.lowerBound...key
      } else {
        ranges.append(key...key)
      }
    }
    return ranges
  }
}
