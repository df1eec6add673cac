import Foundation
import Observation
import Roost

/// Runs `body`, and returns once an observer has told that its results change.
@MainActor func change<Element, Title>(
  of observer: ResultsObserver<Element, Title>, _ body: () throws -> Void
) async throws {
  var failure: (any Error)?
  await withCheckedContinuation { continuation in
    withObservationTracking {
      _ = observer.results
    } onChange: {
      continuation.resume()
    }
    do { try body() } catch { failure = error }
  }
  if let failure { throw failure }
}

/// Returns once all observers have been told of what was changed so far.
@MainActor func settle(_ container: ModelContainer) async {
  while !container._areObserversTold { await Task.yield() }
}

/// A list that follows an observer's results by their changes alone.
@MainActor final class FollowedList<Item: Equatable> {
  private var items: [Item]?

  func begin(_ items: [Item]) { self.items = items }

  func apply<Title>(_ changes: ResultsChanges<Title>, _ results: [Item]) {
    for position in changes.removals.reversed() { items?.remove(at: position) }
    for position in changes.additions { items?.insert(results[position], at: position) }
    for position in changes.updates { items?[position] = results[position] }
  }

  /// Returns once the list is that one.
  func shows(_ expected: [Item]) async {
    while items != expected { await Task.yield() }
  }
}
