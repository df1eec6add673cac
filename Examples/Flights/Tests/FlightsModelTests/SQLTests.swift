import FlightsModel
import Foundation
import SwiftData
import Testing

/// SQL of a program's own on the flights, against what Swift makes of the models.
@Suite struct SQLTests {
  @Test(arguments: DataSet.available) func `common table expressions give models`(data: DataSet) async throws {
    try await withDatabase(data, limit: data.limit) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      let least = 2
      let busiest = try context.fetch(
        sql: """
          WITH used(plane, flights) AS (
            SELECT \(\Flight.plane), count(*) FROM \(Flight.self) WHERE \(\Flight.plane) IS NOT NULL GROUP BY 1)
          SELECT p.* FROM \(Plane.self) p JOIN used ON used.plane = p._pk
          WHERE used.flights >= \(least) ORDER BY used.flights DESC, p._pk LIMIT 20
          """, as: Plane.self)
      var counts: [PersistentIdentifier: Int] = [:]
      for flight in try context.fetch(FetchDescriptor<Flight>()) {
        if let plane = flight.plane { counts[plane.persistentModelID, default: 0] += 1 }
      }
      let expected = counts.filter { $0.value >= least }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(20)
      #expect(!busiest.isEmpty && busiest.map(\.persistentModelID) == expected.map(\.key))
    }
  }

  @Test(arguments: DataSet.available) func `recursion walks from airport to airport`(data: DataSet) async throws {
    try await withDatabase(data, limit: data.limit) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      // Where a plane may be that was at Kennedy, by flights of planes that have been where it was.
      let reached = try context.fetch(
        sql: """
          WITH RECURSIVE reached(airport) AS (
            SELECT _pk FROM \(Airport.self) WHERE \(\Airport.code) = \("JFK")
            UNION SELECT \(\Flight.destination) FROM reached JOIN \(Flight.self) ON \(\Flight.origin) = reached.airport
            WHERE \(\Flight.destination) IS NOT NULL)
          SELECT * FROM \(Airport.self) WHERE _pk IN (SELECT airport FROM reached)
          """, as: Airport.self)
      var expected: Set<Airport> = []
      var next = try context.fetch(FetchDescriptor<Airport>(predicate: #Predicate { $0.code == "JFK" }))
      while let airport = next.popLast() {
        if expected.insert(airport).inserted { next += airport.departures.compactMap(\.destination) }
      }
      #expect(expected.count > 1 && Set(reached) == expected && reached.count == expected.count)
    }
  }

  private struct Delay: Decodable, Hashable {
    let airline: String
    let place: Int
    let minutes: Int
    let minutesSoFar: Int
  }

  @Test(arguments: DataSet.available) func `window functions rank and sum up`(data: DataSet) async throws {
    try await withDatabase(data, limit: data.limit) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      let delays = try context.rows(
        sql: """
          SELECT * FROM (
            SELECT a.\(\Airline.name) AS airline, \(\Flight.arrivalDelay) AS minutes,
              row_number() OVER worst AS place, sum(\(\Flight.arrivalDelay)) OVER worst AS minutesSoFar
            FROM \(Flight.self) f JOIN \(Airline.self) a ON a._pk = f.\(\Flight.airline)
            WHERE \(\Flight.arrivalDelay) IS NOT NULL
            WINDOW worst AS (PARTITION BY f.airline ORDER BY \(\Flight.arrivalDelay) DESC, f._pk ROWS UNBOUNDED PRECEDING))
          WHERE place <= \(3) ORDER BY airline, place
          """, as: Delay.self)
      let airlines = try context.fetch(FetchDescriptor<Airline>(sortBy: [SortDescriptor(\.name, comparator: .lexical)]))
      let expected = airlines.flatMap { airline -> [Delay] in
        let worst = airline.flights.compactMap(\.arrivalDelay).sorted(by: >).prefix(3)
        return worst.indices.map { place in
          Delay(
            airline: airline.name, place: place + 1, minutes: worst[place],
            minutesSoFar: worst[...place].reduce(0, +))
        }
      }
      #expect(!delays.isEmpty && delays == expected)
    }
  }

  private struct Origin: Decodable, Hashable {
    let code: String
    let destinations: [String]
    let longest: Trip
    struct Trip: Codable, Hashable {
      let number: Int
      let miles: Int
    }
  }

  @Test(arguments: DataSet.available) func `JSON goes in as a list and comes out as values`(data: DataSet) async throws
  {
    try await withDatabase(data, limit: data.limit) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      let codes = ["JFK", "LGA", "\"]'"]
      let origins = try context.rows(
        sql: """
          SELECT o.code, (
              SELECT json_group_array(code) FROM (
                SELECT DISTINCT d.code FROM \(Flight.self) f JOIN \(Airport.self) d ON d._pk = f.destination
                WHERE f.origin = o._pk ORDER BY d.code)) AS destinations, (
              SELECT json_object('number', number, 'miles', distance) FROM \(Flight.self)
              WHERE origin = o._pk ORDER BY distance DESC, _pk LIMIT 1) AS longest
          FROM json_each(\(json: codes)) wanted JOIN \(Airport.self) o ON o.code = wanted.value ORDER BY wanted.key
          """, as: Origin.self)
      let expected = try codes.prefix(2).map { code in
        let airport = try #require(
          try context.first(FetchDescriptor<Airport>(predicate: #Predicate { $0.code == code })))
        let flights = airport.departures.sorted { $0.persistentModelID < $1.persistentModelID }
        let longest = try #require(flights.max { $0.distance < $1.distance })
        let first = try #require(flights.first { $0.distance == longest.distance })
        return Origin(
          code: code, destinations: Set(flights.compactMap(\.destination?.code)).sorted(),
          longest: .init(number: first.number, miles: first.distance))
      }
      #expect(origins == expected)
      let miles = try context.rows(
        sql: "SELECT json_extract(\(json: expected[0].longest), '$.miles')", as: Int.self)
      #expect(miles == [expected[0].longest.miles])
    }
  }
}
