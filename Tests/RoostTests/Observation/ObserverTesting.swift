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

/// Lets everything run that is due on the main actor.
@MainActor func settle() async {
  for _ in 0..<200 { await Task.yield() }
}
