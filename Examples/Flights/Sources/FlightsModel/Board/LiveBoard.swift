import Foundation
import Roost

/// Shows the departures of a day, and what becomes of them while others change the database.
@MainActor public final class LiveBoard {
  private let context: ModelContext
  private let day: BoardDay
  private let start = Date.now
  /// What the board shows.
  private var shown: [PersistentIdentifier: Departure] = [:]

  public init(of day: BoardDay, in container: ModelContainer) {
    context = container.mainContext
    self.day = day
  }

  /// The departures as they are now.
  public func departures() throws -> [Departure] { try context.fetch(day.departures).map(Departure.init) }

  /// What changes from now on until `tower` has returned: each change once, as it comes.
  ///
  /// `tower` begins once the board would notice. What it throws ends the sequence, and is thrown by it.
  public func changes(
    while tower: @escaping @Sendable () async throws -> Void
  ) -> AsyncThrowingStream<BoardChange, any Error> {
    let (changes, told) = AsyncThrowingStream.makeStream(of: BoardChange.self)
    let watching = Task {
      do { try await watch(tower, told) } catch { told.finish(throwing: error) }
    }
    told.onTermination = { _ in watching.cancel() }
    return changes
  }

  private typealias Told = AsyncThrowingStream<BoardChange, any Error>.Continuation

  /// The code that waits for changes, to be shown beside them.
  nonisolated public static let source = SourceExcerpt(line: #line + 2)

  private func watch(_ tower: @escaping @Sendable () async throws -> Void, _ told: Told) async throws {
    // Watched by their identifiers, as no index leads to the flights of a day.
    let ids = try context.fetchIdentifiers(day.departures)
    let departures = FetchDescriptor<Flight>(
      predicate: #Predicate { ids.contains($0.persistentModelID) }, sortBy: day.departures.sortBy)
    var isFirst = true
    // The flights of now come first; then all of them again, each time that anything about them is another.
    for await flights in try context.observe(departures) {
      for change in try update(flights, at: .now) { told.yield(change) }
      if isFirst { Task { await run(tower, told) } }
      isFirst = false
    }
  }

  private func run(_ tower: @Sendable () async throws -> Void, _ told: Told) async {
    do {
      try await tower()
      // What was committed just before the end, and was not told yet.
      for change in try update(context.fetch(day.departures), at: .now) { told.yield(change) }
      told.finish()
    } catch {
      told.finish(throwing: error)
    }
  }

  /// Has the board show these flights, and returns what has changed.
  private func update(_ flights: [Flight], at time: Date) throws -> [BoardChange] {
    let changed = flights.compactMap { flight -> (id: PersistentIdentifier, before: Departure, after: Departure)? in
      let (id, after) = (flight.persistentModelID, Departure(flight))
      let before = shown.updateValue(after, forKey: id)
      return before.flatMap { $0 == after ? nil : (id, $0, after) }
    }
    if changed.isEmpty { return [] }
    let commits = try commitTimes()
    return changed.map { change in
      let age = commits[change.id].map { time.timeIntervalSince($0) * 1_000 }
      return BoardChange(before: change.before, after: change.after, delayOfNews: age)
    }
  }

  /// When each flight was last changed by a tower, by the store's history.
  private func commitTimes() throws -> [PersistentIdentifier: Date] {
    let (author, start) = (Tower.author, start)
    let transactions = try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(
        predicate: #Predicate { $0.author == author && $0.timestamp >= start }))
    return transactions.reduce(into: [:]) { times, transaction in
      for change in transaction.changes { times[change.changedPersistentIdentifier] = transaction.timestamp }
    }
  }
}
