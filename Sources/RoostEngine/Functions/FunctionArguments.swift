internal import SQLiteLibrary

/// The arguments of one call of an SQL function, read in place; valid during the call only.
package struct FunctionArguments {
  /// How many there are.
  package let count: Int
  private let values: UnsafeMutablePointer<OpaquePointer?>?

  init(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    self.count = Int(count)
    self.values = values
  }

  /// Whether an argument is NULL, or not there.
  package func isNull(_ index: Int) -> Bool { type(index) == .null }

  /// The storage class of an argument; NULL if it is not there.
  package func type(_ index: Int) -> ColumnType {
    guard let value = pointer(index) else { return .null }
    return switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// An argument as a whole number; 0 for NULL.
  package func int64(_ index: Int) -> Int64 {
    pointer(index).map(sqlite3_value_int64) ?? 0
  }

  /// An argument as a floating-point number; 0 for NULL.
  package func double(_ index: Int) -> Double {
    pointer(index).map(sqlite3_value_double) ?? 0
  }

  /// An argument as text; empty for NULL.
  package func string(_ index: Int) -> String {
    withText(index) { String(decoding: $0, as: UTF8.self) }
  }

  /// An argument in its own storage class.
  package func value(_ index: Int) -> DatabaseValue {
    switch type(index) {
    case .integer: .integer(int64(index))
    case .real: .real(double(index))
    case .text: .text(string(index))
    case .blob: .blob(withBlob(index) { Array($0) })
    case .null: .null
    }
  }

  /// Reads an argument's UTF-8 in place; the bytes are valid within `body` only.
  package func withText<R, E: Error>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let value = pointer(index)
    // SAFETY: the text must be asked for before its length, and has that many bytes until the next conversion.
    let text = value.flatMap { sqlite3_value_text($0) }
    return try body(UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(sqlite3_value_bytes(value))))
  }

  /// Reads an argument's bytes in place; they are valid within `body` only.
  package func withBlob<R, E: Error>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    let value = pointer(index)
    // SAFETY: as for text. An empty blob is a null pointer, which a buffer of no bytes may have.
    let blob = value.flatMap { sqlite3_value_blob($0) }
    return try body(UnsafeRawBufferPointer(start: blob, count: blob == nil ? 0 : Int(sqlite3_value_bytes(value))))
  }

  private func pointer(_ index: Int) -> OpaquePointer? {
    // SAFETY: SQLite passes `count` values, which live until the call returns.
    guard let values, index >= 0, index < count else { return nil }
    return values[index]
  }
}
