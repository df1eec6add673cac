import CBenchmarkSQLite
import Foundation
import GRDB

extension FlightRow {
  /// The row of a join.
  @inline(__always)
  init(reading statement: OpaquePointer) {
    self.init(
      number: Int(sqlite3_column_int64(statement, 0)),
      departure: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 1)),
      distance: Int(sqlite3_column_int64(statement, 2)),
      delay: sqlite3_column_type(statement, 3) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(statement, 3)),
      airline: SampleRow.optionalText(statement, 4), plane: SampleRow.optionalText(statement, 5),
      origin: SampleRow.optionalText(statement, 6), destination: SampleRow.optionalText(statement, 7))
  }
}

extension FlightRow: FetchableRecord {
  init(row: Row) {
    self.init(
      number: row[0], departure: Date(timeIntervalSinceReferenceDate: row[1]), distance: row[2], delay: row[3],
      airline: row[4], plane: row[5], origin: row[6], destination: row[7])
  }
}

struct FlightRecord: TableRecord {
  static let databaseTableName = "Flight"
  static let airline = belongsTo(AirlineRecord.self, key: "airline", using: ForeignKey(["airline"]))
  static let plane = belongsTo(PlaneRecord.self, key: "plane", using: ForeignKey(["plane"]))
  static let origin = belongsTo(AirportRecord.self, key: "origin", using: ForeignKey(["origin"]))
  static let destination = belongsTo(AirportRecord.self, key: "destination", using: ForeignKey(["destination"]))

  static var databaseSelection: [any SQLSelectable] {
    [Column("number"), Column("departure"), Column("distance"), Column("delay")]
  }
}

struct AirlineRecord: TableRecord { static let databaseTableName = "Airline" }

struct PlaneRecord: TableRecord { static let databaseTableName = "Plane" }

struct AirportRecord: TableRecord { static let databaseTableName = "Airport" }

/// A flight with what its associations include, each in a scope of its own.
struct AssociatedFlight: FetchableRecord {
  let values: FlightRow

  init(row: Row) {
    let scopes = row.scopes
    values = FlightRow(
      number: row[0], departure: Date(timeIntervalSinceReferenceDate: row[1]), distance: row[2], delay: row[3],
      airline: scopes["airline"]?[0], plane: scopes["plane"]?[0], origin: scopes["origin"]?[0],
      destination: scopes["destination"]?[0])
  }
}
