/// The storage class of a value in a result row.
package enum ColumnType: Sendable, Hashable {
  /// A whole number of up to 64 bits.
  case integer
  /// A 64-bit floating-point number.
  case real
  /// Text.
  case text
  /// Bytes.
  case blob
  /// No value.
  case null
}
