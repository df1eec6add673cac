import Foundation
import Roost

/// Notes when one of each kind of observer knows of another process's commits. All of them observe at the same time.
@available(macOS 26, *)
@MainActor final class LatencyWatch {
  private enum Kind: String, CaseIterable {
    case results = "ResultsObserver"
    case model = "context.observe(model)"
    case history = "HistoryObserver"
  }

  private let container: ModelContainer
  /// How many commits each kind knew of, and since when. Two commits may become known at once.
  private var known: [Kind: [(count: Int, time: TimeInterval)]] = [:]

  init(_ container: ModelContainer) { self.container = container }

  /// The milliseconds from each commit until it was known, by the kind of observer.
  ///
  /// `write` makes the commits and returns when each began.
  func times(
    of write: @escaping @Sendable () async throws -> [TimeInterval]
  ) async throws -> [(name: String, milliseconds: [Double])] {
    let (begun, begin) = AsyncThrowingStream.makeStream(of: Void.self)
    let kinds: [@MainActor (() -> Void) async throws -> Void] = [watchResults, watchModel, watchHistory]
    let watches = kinds.map { watch in
      Task {
        do {
          try await watch { begin.yield() }
        } catch {
          begin.finish(throwing: error)
          throw error
        }
      }
    }
    defer { for watch in watches { watch.cancel() } }
    for try await _ in begun.prefix(watches.count) {}
    let commits = try await write()
    for watch in watches { try await watch.value }
    return Kind.allCases.map { kind in
      let known = known[kind] ?? []
      let milliseconds = commits.enumerated().compactMap { index, time in
        known.first { $0.count > index }.map { ($0.time - time) * 1_000 }
      }
      return (kind.rawValue, milliseconds)
    }
  }

  /// Notes that a kind of observer knows of so many commits, and returns whether more are to come.
  private func note(_ kind: Kind, _ count: Int?) -> Bool {
    known[kind, default: []].append((count ?? 0, ProcessInfo.processInfo.systemUptime))
    return count ?? 0 < LatencyReport.commitCount
  }

  private func watchResults(begin: () -> Void) async throws {
    let observer = try ResultsObserver<Beacon, Never>(
      sortBy: [SortDescriptor(\.name, comparator: .lexical)],
      modelContext: ModelContext(container, isolation: MainActor.shared))
    var changes = observer.changes.makeAsyncIterator()
    begin()
    while await changes.next() != nil, note(.results, observer.results.first?.count) {}
  }

  private func watchModel(begin: () -> Void) async throws {
    let context = ModelContext(container, isolation: MainActor.shared)
    let name = LatencyReport.name(0)
    guard let beacon = try context.fetch(FetchDescriptor<Beacon>(predicate: #Predicate { $0.name == name })).first
    else { throw BenchmarkError("latency: nothing to observe") }
    var values = context.observe(beacon).makeAsyncIterator()
    begin()
    while let value = await values.next(), note(.model, value.count) {}
  }

  private func watchHistory(begin: () -> Void) async throws {
    let observer = try HistoryObserver(observedModels: [Beacon.self], modelContainer: container)
    let context = ModelContext(container)
    var last = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token
    var count = 0
    var events = Observations { observer.eventCounter }.makeAsyncIterator()
    _ = await events.next()
    begin()
    while await events.next() != nil {
      var new = HistoryDescriptor<DefaultHistoryTransaction>()
      if let last { new.predicate = #Predicate { $0.token > last } }
      let transactions = try context.fetchHistory(new)
      last = transactions.last?.token ?? last
      count += transactions.count
      if !note(.history, count) { return }
    }
  }
}
