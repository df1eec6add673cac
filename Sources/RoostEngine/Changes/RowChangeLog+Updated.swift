internal import SQLiteLibrary

// What is kept of a row that is updated, whoever tells of it.
extension RowChangeLog {
  /// Adds the former values of the columns that differ to ``bytes``, and returns which these are.
  ///
  /// Only those are looked at that ``updated`` has. `old` and `new` have a column's values by its place in the table's
  /// list. `count`: how many of the list are looked at.
  @inline(__always)
  func keepDiffering(
    _ place: Int, upTo count: Int = .max, old: (Int) -> OpaquePointer?, new: (Int) -> OpaquePointer?
  ) -> DifferingColumns {
    let columns = tables[place].columns
    let hasValues = bytes.count < largestSize
    var differing = DifferingColumns()
    for index in columns.indices.prefix(count) {
      if index < 64, updated & 1 << UInt64(index) == 0 { continue }
      let (old, new, missing) = (old(index), new(index), columns[index].missing)
      if RowValues.isSame(old, new, missing) { continue }
      differing.insert(index)
      if !hasValues { continue }
      if let missing, RowValues.isNull(old) {
        bytes += missing
      } else {
        RowValues.append(old, to: &bytes)
      }
    }
    return differing
  }

  func append(
    _ place: Int, _ rowClass: Int32, _ kind: Kind, _ key: Int64, _ differing: DifferingColumns, _ start: Int,
    hasValues: Bool
  ) {
    if !differing.more.isEmpty { wide[entries.count] = [differing.first] + differing.more }
    append(
      Entry(
        table: Int32(place), rowClass: rowClass, kind: kind, hasValues: hasValues, key: key, count: 1,
        columns: differing.first, start: start))
  }
}

/// The columns of a row that differ, by their places in the list of those that are looked at.
struct DifferingColumns {
  var first: UInt64 = 0
  var more: [UInt64] = []

  var isEmpty: Bool { first == 0 && more.isEmpty }

  mutating func insert(_ index: Int) {
    if index < 64 { return first |= 1 << UInt64(index) }
    while more.count < index / 64 { more.append(0) }
    more[index / 64 - 1] |= 1 << UInt64(index % 64)
  }
}

extension RowValues {
  /// Whether two values are the same. `missing` is what a column has in rows that are older than it.
  static func isSame(_ old: OpaquePointer?, _ new: OpaquePointer?, _ missing: [UInt8]?) -> Bool {
    guard let missing, isNull(old) else { return roost_sqlite3_is_same(old, new) != 0 }
    var bytes: [UInt8] = []
    append(new, to: &bytes)
    return bytes == missing
  }

  static func isNull(_ value: OpaquePointer?) -> Bool { value == nil || sqlite3_value_type(value) == SQLITE_NULL }

  /// Adds a value of SQLite's.
  static func append(_ value: OpaquePointer?, to bytes: inout [UInt8]) {
    guard let value else { return bytes.append(Tag.null.rawValue) }
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER:
      bytes.append(Tag.integer.rawValue)
      append(signed: sqlite3_value_int64(value), to: &bytes)
    case SQLITE_FLOAT:
      bytes.append(Tag.real.rawValue)
      withUnsafeBytes(of: sqlite3_value_double(value).bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    case SQLITE_TEXT: append(.text, sqlite3_value_blob(value), sqlite3_value_bytes(value), to: &bytes)
    case SQLITE_BLOB: append(.blob, sqlite3_value_blob(value), sqlite3_value_bytes(value), to: &bytes)
    default: bytes.append(Tag.null.rawValue)
    }
  }

  private static func append(_ tag: Tag, _ content: UnsafeRawPointer?, _ count: Int32, to bytes: inout [UInt8]) {
    bytes.append(tag.rawValue)
    append(UInt64(count), to: &bytes)
    // SAFETY: SQLite says how many bytes there are, and keeps them until the hook returns.
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: content, count: content == nil ? 0 : Int(count)))
  }
}
