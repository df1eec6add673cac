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
