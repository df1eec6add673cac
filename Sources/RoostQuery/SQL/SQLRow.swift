import RoostCore
import RoostEngine
import RoostSQL

/// One row that SQL returned: values by column, read as the types that the program asks for.
///
/// ```swift
/// for row in try context.rows(sql: "SELECT stars, count(*) AS notes, max(edited) FROM \(Note.self) GROUP BY stars") {
///   let stars = try row["stars", as: Int.self]
///   let notes: Int = try row["notes"]
///   let edited = try row[2, as: Date?.self]
/// }
/// ```
/// Values are read in the forms in which attributes are stored: a `Date`, a `UUID`, an enum by its raw value, a
/// `Codable` type from JSON text.
public struct SQLRow: Sendable, Hashable {
  /// The columns, shared by all rows of a query.
  final class Columns: Sendable, Hashable {
    let names: [String]
    /// The first of each name.
    let places: [String: Int]

    init(_ names: [String]) {
      self.names = names
      places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    static func == (lhs: Columns, rhs: Columns) -> Bool { lhs.names == rhs.names }
    func hash(into hasher: inout Hasher) { hasher.combine(names) }
  }

  let columns: Columns
  let values: [SQLValue]

  /// The names of the columns, as the SQL gives them.
  public var columnNames: [String] { columns.names }

  /// The value of the first column of a name.
  ///
  /// - Throws: ``SwiftDataError/invalidSQL`` when there is no such column, ``SwiftDataError/corruptValue`` when its
  ///   value is none of the type; `NULL` is one of an optional type alone.
  public subscript<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) -> Value {
    get throws { try value(at: try place(of: column), as: type) }
  }

  /// The value of a column by its place, from 0 on.
  ///
  /// - Throws: as for a column's name.
  public subscript<Value: Decodable>(_ column: Int, as type: Value.Type = Value.self) -> Value {
    get throws { try value(at: column, as: type) }
  }

  /// A value made of the row: a scalar of its first column, any other type of the columns that its coding keys name.
  ///
  /// - Throws: as for a column's name, or what the type's own `init(from:)` throws.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    StoredValue.isScalar(type) ? try self[0, as: type] : try Value(from: SQLRowDecoder(row: self))
  }

  func place(of column: String) throws -> Int {
    if let place = columns.places[column] { return place }
    throw SwiftDataError(
      .invalidSQL, "The rows have no column \"\(column)\"; they have \(columns.names.joined(separator: ", ")).",
      remedy: "Name it in the SQL: SELECT … AS \(column).")
  }

  func value<Value: Decodable>(at place: Int, as type: Value.Type) throws -> Value {
    guard values.indices.contains(place) else {
      throw SwiftDataError(.invalidSQL, "The rows have \(values.count) columns, and none at \(place).")
    }
    if let value = StoredValue.decode(type, from: values[place]) { return value }
    throw SwiftDataError(
      .corruptValue, "The column \"\(columns.names[place])\" holds \(values[place].kind), which is no \(type).",
      remedy: "Read it as another type, or have the SQL convert it.")
  }
}

extension SQLRow: CustomStringConvertible {
  /// The columns with their values as SQL writes them.
  public var description: String {
    zip(columns.names, values).map { "\($0): \($1.literal)" }.joined(separator: ", ")
  }
}

extension SQLValue {
  /// The value as SQL writes it.
  var literal: String { SQLitePrinter.literal(self) }

  fileprivate var kind: String {
    switch self {
    case .null: "NULL"
    case .integer: "a whole number"
    case .real: "a number"
    case .text: "text"
    case .blob: "bytes"
    }
  }
}

extension SQLRow {
  /// All rows of a statement.
  static func all(_ statement: Statement) throws -> [SQLRow] {
    let columns = Columns((0..<statement.columnCount).map { statement.columnName($0) })
    var rows: [SQLRow] = []
    while try statement.step() {
      rows.append(SQLRow(columns: columns, values: (0..<statement.columnCount).map { statement.sqlValue($0) }))
    }
    return rows
  }
}
