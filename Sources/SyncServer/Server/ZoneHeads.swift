import Synchronization

/// Who waits for zones' changes.
final class ZoneHeads: Sendable {
  private struct Listener {
    var continuation: AsyncThrowingStream<Int64, any Error>.Continuation
    var last: Int64?
  }

  private struct State {
    var listeners: [Int64: [Int: Listener]] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// The sequences that ``tell(_:of:)`` is told from now on; who is slow gets the last one.
  func listen(to zone: Int64) -> AsyncThrowingStream<Int64, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Int64.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      if state.isClosed { return nil }
      state.next += 1
      state.listeners[zone, default: [:]][state.next] = Listener(continuation: continuation)
      return state.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.forget(number, of: zone) }
    return stream
  }

  private func forget(_ number: Int, of zone: Int64) {
    state.withLock { state in
      state.listeners[zone]?[number] = nil
      if state.listeners[zone]?.isEmpty == true { state.listeners[zone] = nil }
    }
  }

  /// Tells a zone's last sequence to all who have heard of none as late. It may be told in any order.
  func tell(_ sequence: Int64, of zone: Int64) {
    state.withLock { state in
      guard let listeners = state.listeners[zone] else { return }
      for (number, listener) in listeners where listener.last.map({ $0 < sequence }) ?? true {
        state.listeners[zone]?[number]?.last = sequence
        listener.continuation.yield(sequence)
      }
    }
  }

  /// Ends all streams, and those to come.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return state.listeners.values.flatMap(\.values)
    }
    for listener in listeners { listener.continuation.finish() }
  }
}
