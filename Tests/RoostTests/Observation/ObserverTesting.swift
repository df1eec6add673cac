import Foundation
import Observation
import Roost
import Synchronization

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
@MainActor func waitUntilTold(_ container: ModelContainer) async {
  while !container._areObserversTold { await Task.yield() }
}

/// What an iterator gives; nil when it waits on and on, as for a change that nobody tells.
///
/// Others' tasks have many turns meanwhile, so that what is on its way arrives.
@MainActor func told<Value: Sendable>(_ next: @escaping @MainActor () async -> Value?) async -> Value? {
  let reading = Task { @MainActor in await next() }
  let watchdog = Task { @MainActor in
    for _ in 0..<100_000 where !Task.isCancelled { await Task.yield() }
    reading.cancel()
  }
  defer { watchdog.cancel() }
  return await reading.value
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

/// What an observer sets when it is told, on any thread.
final class ToldFlag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
