import RoostEngine

extension HistoryCapture {
  /// What was noted since ``begin(isHeard:)``, for those who listen.
  func written(_ schema: SchemaInfo) -> WrittenRows {
    if hasChangedSchema { return .any }
    var written = WrittenRows(unknown: [])
    for (place, entry) in log.entries.enumerated() {
      let table = tables[Int(entry.table)]
      if log.tables[Int(entry.table)].link != nil {
        // A link is a change of the lists on both sides.
        for (list, bit, key) in [(table.sides.0, 1, entry.key), (table.sides.1, 2, Int64(bitPattern: entry.columns))] {
          guard let list, entry.count & Int64(bit) != 0 else { continue }
          written.add(.updated, schema.entities[list.ordinal], from: key, [list.index])
        }
        continue
      }
      if entry.rowClass < 0 {
        let list = table.lists[Int(entry.columns)]
        written.add(.updated, schema.entities[list.ordinal], from: entry.key, [list.index])
        continue
      }
      let entity = schema.entities[table.ordinals[Int(entry.rowClass)]]
      let properties = entry.kind == .updated ? properties(of: entity, table, entry, place) : []
      written.add(entry.kind, entity, from: entry.key, count: entry.count, properties)
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
