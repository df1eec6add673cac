public import Foundation

/// A value as SQLite stores it: one of its five storage classes.
///
/// Source: [Datatypes In SQLite](https://www.sqlite.org/datatype3.html).
public enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}
