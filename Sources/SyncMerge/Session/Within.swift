/// What is thrown for something that took longer than it may.
package struct TimeIsOver: Error {}

/// Waits for what a function returns or throws, and no longer than a while.
///
/// The function is cancelled then, and when the caller is, and not waited for: it may not
/// care. A group would wait for it.
///
/// - Parameters:
///   - time: how long the function may take.
///   - body: the function.
/// - Returns: what the function returns.
/// - Throws: what the function throws; ``TimeIsOver``; `CancellationError` if the caller is cancelled.
package func within<Value: Sendable>(
  _ time: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  // Whichever comes first is what there is of it.
  let (results, result) = AsyncThrowingStream.makeStream(of: Value.self, throwing: (any Error).self)
  let work = Task {
    do {
      result.yield(try await body())
      result.finish()
    } catch {
      result.finish(throwing: error)
    }
  }
  let timer = Task {
    guard (try? await Task.sleep(for: time)) != nil else { return }
    result.finish(throwing: TimeIsOver())
  }
  defer {
    work.cancel()
    timer.cancel()
  }
  for try await value in results { return value }
  throw CancellationError()
}
