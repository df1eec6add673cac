import CBenchmarkSQLite
import Foundation
import GRDB

/// 100,000 flights, each with the names of its airline, plane, origin and destination.
enum WalkWorkload {
  static let network = FlightNetwork(count: 100_000)
  static let rows = network.rows
  static let touch = rows.reduce(0) { $0 &+ $1.touch }

  /// As Roost makes it.
  static let schema = """
    CREATE TABLE "Airline" ("_pk" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT;
    CREATE TABLE "Plane" ("_pk" INTEGER PRIMARY KEY, "model" TEXT NOT NULL) STRICT;
    CREATE TABLE "Airport" ("_pk" INTEGER PRIMARY KEY, "name" TEXT NOT NULL) STRICT;
    CREATE TABLE "Flight" (
      "_pk" INTEGER PRIMARY KEY, "number" INTEGER NOT NULL, "departure" REAL NOT NULL, "distance" INTEGER NOT NULL,
      "delay" INTEGER, "airline" INTEGER REFERENCES "Airline" ("_pk"), "plane" INTEGER REFERENCES "Plane" ("_pk"),
      "origin" INTEGER REFERENCES "Airport" ("_pk"), "destination" INTEGER REFERENCES "Airport" ("_pk")) STRICT;
    CREATE INDEX "Flight_airline_index" ON "Flight" ("airline");
    CREATE INDEX "Flight_plane_index" ON "Flight" ("plane");
    CREATE INDEX "Flight_origin_index" ON "Flight" ("origin");
    CREATE INDEX "Flight_destination_index" ON "Flight" ("destination");
    """

  static let query = """
    SELECT "f"."number", "f"."departure", "f"."distance", "f"."delay",
      "a"."name", "p"."model", "o"."name", "d"."name"
    FROM "Flight" AS "f"
    LEFT JOIN "Airline" AS "a" ON "a"."_pk" = "f"."airline" LEFT JOIN "Plane" AS "p" ON "p"."_pk" = "f"."plane"
    LEFT JOIN "Airport" AS "o" ON "o"."_pk" = "f"."origin" LEFT JOIN "Airport" AS "d" ON "d"."_pk" = "f"."destination"
    """

  static var workload: Workload {
    var variants = [Variant("sqlite-tuned", sqliteTuned), Variant("grdb", grdb), Variant("grdb-sql", grdbSQL)]
    #if ROOST
      variants.insert(Variant("roost", roost), at: 0)
    #endif
    return Workload(name: "walk-flights", variants: variants)
  }

  private static func sqliteTuned(in folder: URL) throws -> Round {
    let database = try Database(filled(in: folder), tuned: true)
    return round("sqlite-tuned") {
      var rows: [FlightRow] = []
      try database.forEachRow(query) { rows.append(FlightRow(reading: $0)) }
      return rows
    }
  }

  /// By associations.
  private static func grdb(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    let request =
      FlightRecord
      .including(optional: FlightRecord.airline.select(Column("name")))
      .including(optional: FlightRecord.plane.select(Column("model")))
      .including(optional: FlightRecord.origin.select(Column("name")))
      .including(optional: FlightRecord.destination.select(Column("name")))
      .asRequest(of: AssociatedFlight.self)
    return {
      try timed {
        let found = try queue.read { try request.fetchAll($0) }
        return (found, found.reduce(0) { $0 &+ $1.values.touch })
      } check: { found, touched in
        try check(found.map(\.values), touched, "grdb")
      }
    }
  }

  /// By the join that C uses.
  private static func grdbSQL(in folder: URL) throws -> Round {
    let queue = try DatabaseQueue.open(filled(in: folder))
    return round("grdb-sql") {
      try queue.read { try FlightRow.fetchAll($0.cachedStatement(sql: query)) }
    }
  }

  private static func round(_ variant: String, _ fetch: @escaping () throws -> [FlightRow]) -> Round {
    {
      try timed {
        let found = try fetch()
        return (found, found.reduce(0) { $0 &+ $1.touch })
      } check: { found, touched in
        try check(found, touched, variant)
      }
    }
  }

  static func check(_ found: [FlightRow], _ touched: UInt64, _ variant: String) throws {
    guard touched == touch, found.sorted(by: { $0.departure < $1.departure }) == rows else {
      throw BenchmarkError("walk-flights, \(variant): other flights than expected")
    }
  }

  private static func filled(in folder: URL) throws -> URL {
    let file = folder.appending(path: "flights.sqlite")
    let queue = try DatabaseQueue.open(file)
    try queue.write { database in
      try database.execute(sql: schema)
      for name in network.airlines {
        try database.execute(sql: #"INSERT INTO "Airline" ("name") VALUES (?)"#, arguments: [name])
      }
      for model in network.planes {
        try database.execute(sql: #"INSERT INTO "Plane" ("model") VALUES (?)"#, arguments: [model])
      }
      for name in network.airports {
        try database.execute(sql: #"INSERT INTO "Airport" ("name") VALUES (?)"#, arguments: [name])
      }
      let insertion = try database.makeStatement(
        sql: #"INSERT INTO "Flight" VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)"#)
      for flight in network.flights {
        // Keys begin with 1.
        try insertion.execute(arguments: [
          flight.number, flight.departure.timeIntervalSinceReferenceDate, flight.distance, flight.delay,
          flight.airline + 1, flight.plane.map { $0 + 1 }, flight.origin + 1, flight.destination.map { $0 + 1 },
        ])
      }
    }
    try queue.close()
    return file
  }
}
