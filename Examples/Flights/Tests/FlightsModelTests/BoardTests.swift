import Foundation
import SwiftData
import Testing

@testable import FlightsModel

/// What a board tells of changes that another container, as if of another process, makes to the same file.
@Suite(.timeLimit(.minutes(10))) @MainActor struct BoardTests {
  private let day = BoardDay(airport: "JFK", year: 2013, month: 12, day: 31)

  @Test func `a board has a day's departures from one airport, by their time`() async throws {
    try await withDatabase(.fixture) { database, _ in
      let board = LiveBoard(of: day, in: try FlightsStore.open(database))
      #expect(try board.departures().map(\.flight) == ["FL 11", "HA 52"])
      #expect(try board.departures().map(\.state) == ["5 min early", "120 min late"])
      let lastOfJune = BoardDay(airport: "JFK", year: 2013, month: 6, day: 30)
      // It leaves at 23:59 in New York, when Greenwich has July.
      #expect(try LiveBoard(of: lastOfJune, in: try FlightsStore.open(database)).departures().map(\.flight) == ["DL 3"])
    }
  }

  @Test func `a board tells each change as it comes, from what to what and how soon`() async throws {
    try await withDatabase(.fixture) { database, _ in
      let day = day
      let board = LiveBoard(of: day, in: try FlightsStore.open(database))
      let (isShown, shown) = AsyncStream.makeStream(of: Void.self)
      var lines: [[String]] = []
      let changes = board.changes {
        let writer = Writer(modelContainer: try FlightsStore.open(database))
        var next = isShown.makeAsyncIterator()
        for edit: @Sendable (Flight) -> Void in [{ $0.delay(by: 20) }, { $0.cancel() }] {
          try await writer.edit(day, edit)
          await next.next()
        }
      }
      for try await change in changes {
        lines.append([change.after.flight, change.before.state, change.after.state])
        #expect(change.delayOfNews != nil)
        #expect(
          change.line.hasPrefix("06:00 FL 11 to SJU: \(change.before.state) → \(change.after.state), known after "))
        shown.yield()
      }
      #expect(lines == [["FL 11", "5 min early", "15 min late"], ["FL 11", "15 min late", "cancelled"]])
    }
  }

  @Test func `a board shows all that a tower has changed before it ends`() async throws {
    try await withDatabase(.fixture) { database, _ in
      let day = day
      let container = try FlightsStore.open(database)
      var after: [String: String] = [:]
      let changes = LiveBoard(of: day, in: container).changes {
        try await Tower(modelContainer: FlightsStore.open(database)).run(on: day, pause: .zero)
      }
      for try await change in changes { after[change.after.flight] = change.after.state }
      #expect(after == ["FL 11": "20 min late", "HA 52": "160 min late"])
    }
  }

  @Test func `a tower that fails ends the board with its error`() async throws {
    try await withDatabase(.fixture) { database, _ in
      let changes = LiveBoard(of: day, in: try FlightsStore.open(database)).changes { throw CancellationError() }
      await #expect(throws: CancellationError.self) { for try await _ in changes {} }
    }
  }

  @Test func `a tower changes what leaves, in a commit for each of its orders' lists`() async throws {
    try await withDatabase(.fixture) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      for flight in try context.fetch(FetchDescriptor<Flight>()) {
        // All of them leave on one day, of which one does not leave at all.
        flight.origin = try #require(context.fetch(day.departures).first).origin
        flight.scheduledDeparture = try #require(context.fetch(day.departures).first).scheduledDeparture
      }
      try context.save()
      let cancelled = FetchDescriptor<Flight>(predicate: #Predicate { $0.departureTime == nil })
      #expect(try context.fetchCount(cancelled) == 1)
      try await Tower(modelContainer: FlightsStore.open(database)).run(on: day, pause: .zero)
      #expect(try context.fetchCount(cancelled) == 2)
      let author = Tower.author
      let transactions = try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == author }))
      #expect(transactions.map(\.changes.count) == Tower.commits.map(\.count))
    }
  }

  @Test func `a delay moves the times on the clock, past midnight too`() async throws {
    try await withDatabase(.fixture) { database, _ in
      let context = ModelContext(try FlightsStore.open(database))
      let flights = FetchDescriptor<Flight>(predicate: #Predicate { $0.number == 3 })
      let flight = try #require(try context.fetch(flights).first)
      flight.delay(by: 62)
      #expect((flight.departureTime, flight.departureDelay) == (101, 62))
      #expect((flight.arrivalTime, flight.arrivalDelay) == (nil, nil))
    }
  }

  @Test func `a day is an airport and a date as text`() {
    #expect(BoardDay("JFK/2013-12-31")?.description == "JFK/2013-12-31")
    #expect(BoardDay("EWR/2013-01-01")?.description == BoardDay.demo.description)
    for text in ["", "JFK", "JFK/2013", "JFK/2013-02-30", "JFK/2013-x-1", "/2013-01-01"] {
      #expect(BoardDay(text) == nil)
    }
  }

  @Test func `the source shown is the loop over the flights`() {
    #expect(LiveBoard.source.lines.contains { $0.hasPrefix("for await flights in try context.observe(") })
    #expect(LiveBoard.source.lines.allSatisfy { !$0.contains("func ") })
  }
}

/// A tower that does what a test says.
@ModelActor private actor Writer {
  func edit(_ day: BoardDay, _ edit: @Sendable (Flight) -> Void) throws {
    modelContext.author = Tower.author
    if let flight = try modelContext.fetch(day.departures).first { edit(flight) }
    try modelContext.save()
  }
}
