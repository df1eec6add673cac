public import Foundation

/// A value as SQLite stores it: one of its five storage classes.
///
/// Source: [Datatypes In SQLite](https://www.sqlite.org/datatype3.html).
public enum SQLValue: Hashable, Sendable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text.
  case text(String)
  /// Bytes.
  case blob(Data)
}
