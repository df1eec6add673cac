/// By which fields rows refer to others. Those of rows with long lists are kept: such a row
/// may lose as many as a push has.
final class KnownReferences {
  /// Lists of more elements than this are kept, and so many elements at most.
  private static let (few, most) = (16, 1 << 20)
  private var rows: [SyncRowID: (sequence: Int64, fields: SyncFields<Set<SyncRowID>>)] = [:]
  private var count = 0

  /// `record`: as the zone has it.
  func fields(of record: SyncRecord, to row: SyncRowID) -> [Int] {
    if let known = rows[record.row], known.sequence == record.sequence {
      return known.fields.filter { $0.value.contains(row) }.map(\.key)
    }
    let isLong = record.fields.contains { _, field in
      if case .list(let elements) = field.value { elements.count > Self.few } else { false }
    }
    guard isLong else { return record.fields.filter { $0.value.value.refers(to: row) }.map(\.key) }
    let fields = record.fields.mapValues { Set($0.value.references) }
    count += fields.reduce(0) { $0 + $1.value.count }
    if count > Self.most { (rows, count) = ([:], 0) }
    rows[record.row] = (record.sequence, fields)
    return fields.filter { $0.value.contains(row) }.map(\.key)
  }
}
