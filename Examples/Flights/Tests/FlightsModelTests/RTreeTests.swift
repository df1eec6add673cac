import FlightsModel
import Foundation
import Roost
import Testing

/// An R-tree of a program's own beside the models: airports by where they are.
@Suite struct RTreeTests {
  @Test(arguments: DataSet.available) func `airports within a box are found by an R-tree`(data: DataSet) async throws {
    try await withDatabase(data, limit: 1) { database, _ in
      let container = try FlightsStore.open(database)
      try addPlaces(to: container)
      let context = ModelContext(container)
      let (south, north, west, east) = (33.0, 41.0, -85.0, -72.0)
      let found = try context.fetch(
        sql: """
          SELECT a.* FROM airport_places p JOIN \(Airport.self) a ON a._pk = p.id
          WHERE p.north >= \(south) AND p.south <= \(north) AND p.east >= \(west) AND p.west <= \(east)
            AND a.latitude BETWEEN \(south) AND \(north) AND a.longitude BETWEEN \(west) AND \(east)
          ORDER BY a.code
          """, as: Airport.self)
      let within = FetchDescriptor<Airport>(
        predicate: #Predicate {
          $0.latitude >= south && $0.latitude <= north && $0.longitude >= west && $0.longitude <= east
        }, sortBy: [SortDescriptor(\.code, comparator: .lexical)])
      #expect(try !found.isEmpty && found == context.fetch(within))
      let plan = try context.rows(
        sql: "EXPLAIN QUERY PLAN SELECT id FROM airport_places WHERE south >= \(south) AND north <= \(north)")
      #expect(plan.description.contains("VIRTUAL TABLE INDEX"))
    }
  }

  @Test func `triggers keep it in step with saves, and the store opens with it`() async throws {
    try await withDatabase(.fixture) { database, _ in
      try addPlaces(to: try FlightsStore.open(database))
      let container = try FlightsStore.open(database)
      let context = ModelContext(container)
      let polar: SQL = """
        SELECT * FROM \(Airport.self) WHERE _pk IN (SELECT id FROM airport_places WHERE south >= 66.0) ORDER BY code
        """
      #expect(try context.fetch(sql: polar, as: Airport.self).isEmpty)
      let airport = Airport(
        code: "LYR", name: "Svalbard", latitude: 78.25, longitude: 15.47, altitude: 94, offsetFromUTC: 1,
        daylightSaving: .unknown, timeZone: nil)
      context.insert(airport)
      try context.save()
      #expect(try context.fetch(sql: polar, as: Airport.self) == [airport])
      airport.latitude = 48
      try context.save()
      #expect(try context.fetch(sql: polar, as: Airport.self).isEmpty)
      airport.latitude = 78
      try context.save()
      context.delete(airport)
      try context.save()
      #expect(try context.fetch(sql: polar, as: Airport.self).isEmpty)
      #expect(try context.rows(sql: "SELECT rtreecheck('airport_places')", as: String.self) == ["ok"])
    }
  }

  /// Makes an R-tree of the airports, and triggers that keep it. Its boxes are of 32-bit numbers, rounded outwards.
  private func addPlaces(to container: ModelContainer) throws {
    try container.withDatabase { database in
      try database.execute(sql: "CREATE VIRTUAL TABLE airport_places USING rtree(id, south, north, west, east)")
      try database.execute(
        sql: """
          INSERT INTO airport_places SELECT _pk, latitude, latitude, longitude, longitude FROM \(Airport.self)
          """)
      try database.execute(
        sql: """
          CREATE TRIGGER airport_placed AFTER INSERT ON \(Airport.self) BEGIN
            INSERT INTO airport_places VALUES (new._pk, new.latitude, new.latitude, new.longitude, new.longitude);
          END
          """)
      try database.execute(
        sql: """
          CREATE TRIGGER airport_moved AFTER UPDATE OF latitude, longitude ON \(Airport.self) BEGIN
            UPDATE airport_places SET south = new.latitude, north = new.latitude, west = new.longitude,
              east = new.longitude WHERE id = new._pk;
          END
          """)
      try database.execute(
        sql: """
          CREATE TRIGGER airport_gone AFTER DELETE ON \(Airport.self) BEGIN
            DELETE FROM airport_places WHERE id = old._pk;
          END
          """)
    }
  }
}
