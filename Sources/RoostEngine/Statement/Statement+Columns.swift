internal import SQLiteLibrary

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The current row. Nothing is checked beyond what SQLite checks: outside a row, or its columns, values are NULL.
extension Statement {
  /// The storage class of a value. Ask before reading it otherwise: reading may convert it.
  package func columnType(_ column: Int32) -> ColumnType {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Whether a value is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// A value as a whole number; 0 for NULL.
  package func int64(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// A value as a floating-point number; 0 for NULL.
  package func double(_ column: Int32) -> Double {
    sqlite3_column_double(handle, column)
  }

  /// A value as text; empty for NULL. Bytes that are not UTF-8 become replacement characters.
  package func string(_ column: Int32) -> String {
    String(decoding: textBytes(column), as: UTF8.self)
  }

  /// A value as bytes; empty for NULL.
  package func data(_ column: Int32) -> Data {
    let bytes = blobBytes(column)
    guard let base = bytes.baseAddress else { return Data() }
    return Data(bytes: base, count: bytes.count)
  }

  // A column's value object is asked for once and then read, where each `sqlite3_column_…` looks for it anew, takes the
  // connection's mutex and checks for failures. SQLite allows it where no other thread uses the connection meanwhile,
  // as none does here: connections are handed from thread to thread whole.

  /// A value that is stored as text; nil for any other.
  package func storedString(_ column: Int32) -> String? {
    let value = sqlite3_column_value(handle, column)
    guard sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// Whether a value is stored as text, and has the very bytes of a string.
  package func holds(_ string: String, _ column: Int32) -> Bool {
    let value = sqlite3_column_value(handle, column)
    guard sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else { return false }
    let count = Int(sqlite3_value_bytes(value))
    guard string.utf8.count == count else { return false }
    return string.utf8.withContiguousStorageIfAvailable {
      // SAFETY: both have that many bytes, and live until this returns.
      count == 0 || $0.baseAddress.map { roost_same_bytes($0, text, count) != 0 } ?? false
    } ?? false
  }

  /// A value that is stored as a whole number; nil for any other.
  package func storedInteger(_ column: Int32) -> Int64? {
    let value = sqlite3_column_value(handle, column)
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  /// A value that is stored as a number; nil for any other.
  package func storedNumber(_ column: Int32) -> Double? {
    let value = sqlite3_column_value(handle, column)
    return switch sqlite3_value_type(value) {
    case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_value_double(value)
    default: nil
    }
  }

  /// A value in its own storage class.
  package func value(_ column: Int32) -> DatabaseValue {
    switch columnType(column) {
    case .integer: .integer(int64(column))
    case .real: .real(double(column))
    case .text: .text(string(column))
    case .blob: .blob(Array(blobBytes(column)))
    case .null: .null
    }
  }

  /// Reads a value's UTF-8 in place; the bytes are valid within `body` only.
  @inlinable
  package func withText<R, E: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeRawBufferPointer(textBytes(column)))
  }

  /// Reads a value's bytes in place; they are valid within `body` only.
  @inlinable
  package func withBlob<R, E: Error>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try body(blobBytes(column))
  }

  /// A value's UTF-8, valid until the next call on this column or `step()`.
  @usableFromInline
  func textBytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    // SAFETY: the text must be asked for before its length, and has that many bytes until the next conversion or step.
    let text = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// A value's bytes, valid until the next call on this column or `step()`.
  @usableFromInline
  func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer {
    // SAFETY: as for text. An empty blob is a null pointer, which a buffer of no bytes may have.
    let blob = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: blob, count: blob == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}
