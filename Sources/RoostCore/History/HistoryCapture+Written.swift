import RoostEngine

extension HistoryCapture {
  /// What was noted since ``begin(isHeard:)``, for those who listen.
  func written(_ schema: SchemaInfo) -> WrittenRows {
    if hasChangedSchema { return .any }
    var written = WrittenRows(unknown: [])
    log.forEachRun { run in
      let entries = log.entries[run]
      let change = log.entries[run.lowerBound]
      let table = tables[Int(change.table)]
      if change.rowClass < 0 {
        for entry in entries {
          for (list, key) in lists(of: entry, table) {
            written.add(.updated, schema.entities[list.ordinal], CollectionOfOne((key, 1)), [list.index])
          }
        }
        return
      }
      let entity = schema.entities[table.ordinals[Int(change.rowClass)]]
      let properties = change.kind == .updated ? properties(of: entity, table, change, run.lowerBound) : []
      written.add(change.kind, entity, entries.lazy.map { ($0.key, $0.count) }, properties)
    }
    return written
  }

  private func properties(
    of entity: EntityInfo, _ table: Table, _ entry: RowChangeLog.Entry, _ place: Int
  ) -> PropertySet {
    let words = log.wide[place] ?? [entry.columns]
    let columns = table.columns[entity.ordinal] ?? [:]
    // There are only as many words as there must be.
    return PropertySet(
      columns.lazy.filter { $0.value / 64 < words.count && words[$0.value / 64] >> UInt64($0.value % 64) & 1 == 1 }
        .map(\.key))
  }
}
