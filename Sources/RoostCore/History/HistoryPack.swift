import RoostEngine
import RoostSQL

/// The changes of a transaction in bytes: rows beside each other that change alike take a few for all of them.
package enum HistoryPack {
  /// Adds a change of rows with keys that follow each other; `values` are those of `fields` of
  /// each row, one after the other.
  static func append(
    _ kind: HistoryTables.Kind, entity: Int64, key: Int64, count: Int64, fields: [Int64],
    values: ArraySlice<UInt8>?, to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(kind.rawValue) | (values == nil ? 0 : hasValues))
    RowValues.append(UInt64(entity), to: &bytes)
    RowValues.append(signed: key, to: &bytes)
    RowValues.append(UInt64(count), to: &bytes)
    if kind != .inserted {
      RowValues.append(UInt64(fields.count), to: &bytes)
      for field in fields { RowValues.append(UInt64(field), to: &bytes) }
    }
    if let values { bytes += values }
  }

  /// Gives `body` each change in its order, until it returns false. Returns false where the bytes up to there are none
  /// of a pack, after those that are.
  package static func read(_ bytes: [UInt8], _ body: (RecordedChange) throws -> Bool) rethrows -> Bool {
    var reader = RowValueReader(bytes)
    while !reader.isAtEnd {
      guard let head = reader.byte(), let kind = HistoryTables.Kind(rawValue: Int64(head & ~hasValues)),
        let entity = reader.number().flatMap(Int64.init(exactly:)), let key = reader.signed(), key > 0,
        let count = reader.number(), (1...UInt64(RowChangeLog.largestCount)).contains(count),
        key <= .max - (Int64(count) - 1)
      else { return false }
      var change = RecordedChange(entity: entity, kind: kind, key: key)
      if kind != .inserted {
        guard let fields = reader.number(), fields <= 1 << 16 else { return false }
        for _ in 0..<fields {
          guard let field = reader.number().flatMap(Int64.init(exactly:)) else { return false }
          change.fields.append(field)
        }
      }
      for next in 0..<Int64(count) {
        change.key = key + next
        if head & hasValues != 0 {
          guard let values = reader.values(change.fields.count) else { return false }
          change.values = values
        }
        if try !body(change) { return true }
      }
    }
    return true
  }

  private static let hasValues: UInt8 = 0x80
}

extension RowValueReader {
  fileprivate mutating func values(_ count: Int) -> [SQLValue]? {
    var values: [SQLValue] = []
    for _ in 0..<count {
      guard let value = value() else { return nil }
      values.append(SQLValue(value))
    }
    return values
  }
}
