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
      #expect(Answer.questions.count == questions.count)
      for (answer, sql) in zip(Answer.questions, questions) {
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

  @Test func sourceIsTheBodyOfTheAnswer() {
    for answer in Answer.questions + Answer.changes {
      #expect(answer.source.contains { $0.contains("context.fetch") }, "\(answer.question)")
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
