import FlightsModel
import Foundation
import SQLiteShell
import SwiftData
import Testing

@Suite struct ImportTests {
  /// Every value of the fixture, as it should be in the file.
  @Test func everyValueArrives() async throws {
    try await withDatabase(.fixture) { database, _ in
      let flights = try SQLiteShell.rows(
        of: """
          SELECT number, datetime(scheduledDeparture + 978307200, 'unixepoch'), departureTime, departureDelay,
            scheduledArrivalTime, arrivalTime, arrivalDelay, airTime, distance, f.tailNumber, destinationCode,
            a.name, p.modelName, o.code, d.code
          FROM Flight f JOIN Airline a ON a._pk = f.airline JOIN Airport o ON o._pk = f.origin
            LEFT JOIN Plane p ON p._pk = f.plane LEFT JOIN Airport d ON d._pk = f.destination
          ORDER BY number
          """, in: database)
      #expect(flights.count == 8)
      let delayed = "1|2013-06-01 09:30:00|600|30|830|1000|90|120|1089|N10156|ATL"
      #expect(flights[0].joined(separator: "|") == "\(delayed)|Delta Air Lines Inc.|EMB-145XR|JFK|ATL")
      let cancelled = "10|2013-07-01 10:00:00|||800||||1576||BQN"
      #expect(flights[4].joined(separator: "|") == "\(cancelled)|AirTran Airways Corporation||LGA|")

      let planes = try SQLiteShell.rows(of: "SELECT * FROM Plane WHERE tailNumber = 'N20199'", in: database)
      let plane = ["N20199", "", "Fixed wing multi engine", "EMBRAER", "EMB-190\nrevised", "2", "100", "", "Turbo-jet"]
      #expect(planes.map { Array($0.dropFirst()) } == [plane])

      let airports = try SQLiteShell.rows(
        of: "SELECT code, name, latitude, daylightSaving, timeZone FROM Airport WHERE code IN ('LGA', 'SLZ')",
        in: database)
      #expect(
        airports == [
          ["LGA", "La Guardia \"LGA\"", "40.777245", "A", "America/New_York"],
          ["SLZ", "Marechal Cunha Machado (São Luís)", "-2.585361", "N", ""],
        ])

      let weather = try SQLiteShell.rows(
        of: """
          SELECT code, temperature, windDirection, windSpeed, precipitation, visibility FROM Weather
          JOIN Airport ON Airport._pk = Weather.airport ORDER BY Weather._pk LIMIT 2
          """, in: database)
      #expect(
        weather == [["JFK", "39.02", "270", "10.35702", "0.0", "10.0"], ["LGA", "", "", "", "0.05", "0.25"]])
    }
  }

  @Test func whatHasNoRowIsCounted() async throws {
    try await withDatabase(.fixture) { _, report in
      #expect(report.rows == 26)
      #expect(report.unknownPlanes == ["N999XX": 2])
      #expect(report.flightsWithoutTailNumber == 1)
      #expect(report.unknownDestinations == ["BQN": 1, "SJU": 1])
      #expect(report.description.contains("2 flights go to one of 2 airports that have no row (BQN, SJU)"))
    }
  }

  @Test func relationshipsLeadBothWays() async throws {
    try await withDatabase(.fixture) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      let planes = FetchDescriptor<Plane>(predicate: #Predicate { $0.tailNumber == "N10156" })
      let plane = try #require(try context.fetch(planes).first)
      #expect(plane.flights.map(\.number).sorted() == [1, 2])
      let flight = try #require(plane.flights.first { $0.number == 2 })
      #expect(flight.plane === plane)
      #expect(flight.origin.weather.count == 3)
      #expect(flight.destination?.arrivals.count == 2)
      #expect(flight.airline.flights.count == 4)
    }
  }

  @Test func aLimitTakesTheFirstRows() async throws {
    try await withDatabase(.fixture, limit: 3) { database, report in
      #expect(report.flights == 3)
      #expect(report.weather == 3)
      #expect(report.planes == 5)
      let numbers = try SQLiteShell.rows(of: "SELECT number FROM Flight ORDER BY _pk", in: database)
      #expect(numbers == [["51"], ["1"], ["2"]])
    }
  }

  @Test func aMissingTableIsNamed() {
    let error = #expect(throws: FlightsData.Missing.self) { try FlightsData(folder: URL(filePath: "/no/such/folder")) }
    #expect(error?.description.contains("/no/such/folder/airlines.csv") == true)
  }
}
