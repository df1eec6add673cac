import FlightsModel
import Foundation
import SQLiteShell
import SwiftData
import Testing

/// What SwiftData answers, against plain SQL that the `sqlite3` command runs on the same file.
@Suite struct AnswerTests {
  @Test(arguments: DataSet.available) func answersEqualSQL(data: DataSet) async throws {
    try await withDatabase(data, limit: data.limit) { database, _ in
      let container = try FlightsStore.open(database)
      #expect(Answer.questions.count == questions.count && Answer.figures.count == figures.count)
      for (answer, sql) in zip(Answer.questions + Answer.figures, questions + figures) {
        let table = try answer.run(in: ModelContext(container))
        #expect(!table.rows.isEmpty, "\(answer.question)")
        #expect(table.rows == (try SQLiteShell.rows(of: sql, in: database)), "\(answer.question)")
      }
    }
  }

  @Test(arguments: DataSet.available) func changesEqualSQL(data: DataSet) async throws {
    try await withDatabase(data, limit: data.limit) { database, _ in
      let container = try FlightsStore.open(database)
      #expect(Answer.changes.count == changes.count)
      for (answer, (sql, changes)) in zip(Answer.changes, changes) {
        let before = try SQLiteShell.rows(of: sql, in: database)
        let table = try answer.run(in: ModelContext(container))
        let after = try SQLiteShell.rows(of: sql, in: database)
        #expect(table.rows.first.map { Array($0.dropFirst()) } == before.first, "\(answer.question)")
        #expect(table.rows.last.map { Array($0.dropFirst()) } == after.first, "\(answer.question)")
        #expect((before != after) == changes, "\(answer.question)")
      }
      // Nothing refers to what is gone, and nothing else went.
      #expect(try SQLiteShell.rows(of: "PRAGMA foreign_key_check", in: database) == [])
    }
  }

  @Test func plansSayHowFiguresAreFound() async throws {
    try await withDatabase(.fixture) { database, _ in
      let container = try FlightsStore.open(database)
      let plans = try Answer.figures.map { try $0.run(in: ModelContext(container)) }.map(\.plans)
      // All flights are read where all count, and otherwise no more than an index finds.
      let indexes = plans.map { $0.map { $0.indexes.joined(separator: " ") } }
      #expect(indexes == figureIndexes)
      let lines = try Answer.figures[2].run(in: ModelContext(container)).planLines
      #expect(lines.allSatisfy { $0.count <= 114 } && lines.first?.hasSuffix("…") == true)
    }
  }

  /// Where a condition leads to related models, and on to others, SQLite begins at those and asks nothing twice.
  @Test func relatedModelsAreFoundOnce() async throws {
    try await withDatabase(.fixture) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      let all = try context.fetch(FetchDescriptor<Airport>())
      let airlines = ["HA", "DL"]
      let predicates = [
        #Predicate<Airport> {
          $0.arrivals.contains {
            $0.plane?.flights.contains { $0.destination?.code == "ATL" && airlines.contains($0.airline.code) } ?? false
          }
        },
        #Predicate { $0.departures.contains { airlines.contains($0.airline.code) } },
        #Predicate {
          $0.departures.contains { $0.destination?.code == "HNL" }
            && $0.departures.contains { $0.airline.flights.contains { $0.plane?.manufacturer == "EMBRAER" } }
        },
      ]
      for predicate in predicates {
        let descriptor = FetchDescriptor(predicate: predicate)
        let found = try context.fetch(descriptor)
        #expect(try !found.isEmpty && Set(found) == Set(all.filter { try predicate.evaluate($0) }))
        let plan = try context.explain(descriptor)
        #expect(!plan.description.contains("CORRELATED"), "\(plan)")
      }
    }
  }

  @Test func sourceIsTheBodyOfTheAnswer() {
    for answer in Answer.questions + Answer.figures + Answer.changes {
      #expect(answer.source.contains { $0.contains("try context.") }, "\(answer.question)")
      #expect(answer.source.joined().contains("ResultTable("), "\(answer.question)")
      #expect(answer.source.allSatisfy { !$0.contains("static let") }, "\(answer.question)")
    }
  }

  private let questions = [
    """
    SELECT name, (
      SELECT count(*) FROM Flight JOIN Plane ON Plane._pk = Flight.plane
      WHERE Flight.origin = Airport._pk AND manufacturer = 'EMBRAER')
    FROM Airport WHERE _pk IN (SELECT origin FROM Flight) ORDER BY name
    """,
    """
    SELECT arrivalDelay, datetime(scheduledDeparture + 978307200, 'unixepoch'), Airline.name, number, Airport.name
    FROM Flight JOIN Airline ON Airline._pk = Flight.airline LEFT JOIN Airport ON Airport._pk = Flight.destination
    ORDER BY arrivalDelay DESC, scheduledDeparture LIMIT 10
    """,
    """
    SELECT 'of no known plane', count(*) FROM Flight WHERE plane IS NULL AND tailNumber IS NOT NULL
    UNION ALL SELECT 'none', count(*) FROM Flight WHERE plane IS NULL AND tailNumber IS NULL
    """,
    // LIKE ignores the case of ASCII letters; the accents are taken off by hand.
    "SELECT code, name FROM Airport WHERE replace(replace(name, 'í', 'i'), 'Í', 'i') LIKE '%luis%' ORDER BY code",
    """
    SELECT count(*) FROM Flight WHERE airline = (SELECT _pk FROM Airline WHERE code = 'DL') AND distance > 1000
    AND arrivalDelay > 60 AND datetime(scheduledDeparture + 978307200, 'unixepoch') LIKE '2013-06-%'
    """,
  ]

  private let figures = [
    """
    WITH number(what, value) AS (VALUES
      ('flights', (SELECT count(*) FROM Flight)),
      ('cancelled', (SELECT count(*) FROM Flight WHERE departureTime IS NULL)),
      ('over an hour late', (SELECT count(*) FROM Flight WHERE arrivalDelay > 60)),
      ('minutes late on average', (SELECT printf('%.1f', avg(arrivalDelay)) FROM Flight)),
      ('known planes', (SELECT count(DISTINCT plane) FROM Flight)),
      ('destinations', (SELECT count(DISTINCT destinationCode) FROM Flight)),
      ('miles', (SELECT sum(distance) FROM Flight)))
    SELECT * FROM number
    """,
    // Summer time was from 10 March to 3 November, at 2 o'clock.
    """
    SELECT CAST(strftime('%m', unix - 18000 + (unix >= unixepoch('2013-03-10 07:00:00')
        AND unix < unixepoch('2013-11-03 06:00:00')) * 3600, 'unixepoch') AS INTEGER) AS month,
      name, count(*), printf('%.1f', avg(arrivalDelay))
    FROM (SELECT *, scheduledDeparture + 978307200 AS unix FROM Flight) JOIN Airline ON Airline._pk = airline
    GROUP BY month, name HAVING count(*) > 3 ORDER BY avg(arrivalDelay) DESC, month, name LIMIT 10
    """,
    """
    SELECT name, count(*), count(DISTINCT f.plane) FROM Flight f JOIN Airline ON Airline._pk = f.airline
    WHERE f.origin = (SELECT _pk FROM Airport WHERE code = 'JFK')
      AND f.destination = (SELECT _pk FROM Airport WHERE code = 'ATL')
      AND f.plane IN (SELECT plane FROM Flight JOIN Airport o ON o._pk = origin WHERE o.code <> 'JFK')
    GROUP BY name ORDER BY name
    """,
    """
    SELECT code, highlight(Airport_name_words, 0, '[', ']')
    FROM Airport_name_words JOIN Airport ON _pk = Airport_name_words.rowid
    WHERE Airport_name_words MATCH 'intl h*' ORDER BY rank, _pk LIMIT 10
    """,
  ]

  /// The indexes that each of a figure's plans names.
  private let figureIndexes = [
    ["Flight_plane_index", ""], [""], ["Airport_code_unique Flight_destination_index Flight_plane_index"],
    ["Airport_name_words"],
  ]

  /// What each change is about, and whether it remains.
  private let changes = [
    ("SELECT name FROM Airline WHERE code = 'FL'", true),
    (
      """
      SELECT (SELECT count(*) FROM Airline WHERE code = 'HA'),
        (SELECT count(*) FROM Flight JOIN Airline ON Airline._pk = Flight.airline WHERE code = 'HA')
      """, true
    ),
    ("SELECT count(*) FROM Plane WHERE manufacturer = 'CESSNA'", false),
  ]
}
