import RoostEngine

extension HistoryCapture {
  /// What was noted since ``begin(isHeard:)``, for those who listen.
  func written(_ schema: SchemaInfo) -> WrittenRows {
    if hasChangedSchema { return .any }
    var written = WrittenRows(unknown: [])
    var known = ByColumns<PropertySet>()
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
      let properties =
        change.kind == .updated
        ? known.value(change, log.wide[run.lowerBound]) { Self.properties(of: entity, table, $0) } : []
      written.add(change.kind, entity, entries.lazy.map { ($0.key, $0.count) }, properties)
    }
    return written
  }

  private static func properties(of entity: EntityInfo, _ table: Table, _ words: [UInt64]) -> PropertySet {
    let columns = table.columns[entity.ordinal] ?? [:]
    // There are only as many words as there must be.
    return PropertySet(
      columns.lazy.filter { $0.value / 64 < words.count && words[$0.value / 64] >> UInt64($0.value % 64) & 1 == 1 }
        .map(\.key))
  }

  /// What is made of the columns that changed, once for all rows of a class in which these changed.
  struct ByColumns<Value> {
    private struct Columns: Hashable {
      let table: Int32
      let rowClass: Int32
      let columns: UInt64
    }

    private var last: (columns: Columns, value: Value)?
    private var others: [Columns: Value] = [:]

    /// `wide`: the words of a change of more columns than the entry has bits for.
    mutating func value(_ entry: RowChangeLog.Entry, _ wide: [UInt64]?, _ make: ([UInt64]) -> Value) -> Value {
      if let wide { return make(wide) }
      let columns = Columns(table: entry.table, rowClass: entry.rowClass, columns: entry.columns)
      if let last, last.columns == columns { return last.value }
      if let value = others[columns] { return value }
      if let last { others[last.columns] = last.value }
      let value = make([entry.columns])
      last = (columns, value)
      return value
    }
  }
}
