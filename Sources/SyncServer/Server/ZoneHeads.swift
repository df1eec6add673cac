import SyncMerge
import Synchronization

/// Who waits for zones' changes.
final class ZoneHeads: Sendable {
  private struct Listener {
    let user: String
    var continuation: AsyncThrowingStream<Int64, any Error>.Continuation
    var last: Int64?
  }

  private struct State {
    var listeners: [Int64: [Int: Listener]] = [:]
    /// Each user's, the oldest first.
    var users: [String: [(zone: Int64, number: Int)]] = [:]
    var next = 0
    var isClosed = false

    /// How many listen in all.
    private(set) var count = 0

    /// Returns the number of the new one.
    mutating func add(_ listener: Listener, to zone: Int64) -> Int {
      (next, count) = (next + 1, count + 1)
      listeners[zone, default: [:]][next] = listener
      users[listener.user, default: []].append((zone, next))
      return next
    }

    mutating func remove(_ number: Int, of zone: Int64) -> Listener? {
      guard let listener = listeners[zone]?.removeValue(forKey: number) else { return nil }
      count -= 1
      if listeners[zone]?.isEmpty == true { listeners[zone] = nil }
      users[listener.user]?.removeAll { $0.number == number }
      if users[listener.user]?.isEmpty == true { users[listener.user] = nil }
      return listener
    }
  }

  private let state = Mutex(State())
  /// Held while listeners are told, so that each is told the later one last.
  private let telling = Mutex(())
  /// The most that a user listens to with all devices together.
  private let mostOfUser: Int
  /// The most that listen in all: each has a connection, and others must have some to ask by.
  private let mostOfAll: Int

  init(mostOfUser: Int = 1_000, mostOfAll: Int = 8_000) { (self.mostOfUser, self.mostOfAll) = (mostOfUser, mostOfAll) }

  /// The sequences that ``tell(_:of:)`` is told from now on; who is slow gets the last one.
  ///
  /// Where a user has too many, the oldest ends: most likely its device has gone without a word,
  /// and one that has not comes again.
  ///
  /// - Throws: ``SyncServiceError/busy(retryAfter:)`` where all users together have too many.
  ///   Devices ask now and then instead.
  func listen(to zone: Int64, for user: String) throws -> AsyncThrowingStream<Int64, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Int64.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
    let (number, oldest) = try state.withLock { state throws(SyncServiceError) -> (Int?, Listener?) in
      if state.isClosed { return (nil, nil) }
      var oldest: Listener?
      if let own = state.users[user], own.count >= mostOfUser, let first = own.first {
        oldest = state.remove(first.number, of: first.zone)
      } else if state.count >= mostOfAll {
        throw .busy(retryAfter: 30)
      }
      return (state.add(Listener(user: user, continuation: continuation), to: zone), oldest)
    }
    // Not under the lock, which what it calls takes.
    oldest?.continuation.finish()
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.forget(number, of: zone) }
    return stream
  }

  private func forget(_ number: Int, of zone: Int64) { _ = state.withLock { $0.remove(number, of: zone) } }

  /// Tells a zone's last sequence to all who have heard of none as late. It may be told in any order.
  ///
  /// Listeners are told outside of the lock that ``forget(_:of:)`` takes. Telling one locks its task, and so does
  /// cancelling it, which calls that function: each would wait for the other.
  func tell(_ sequence: Int64, of zone: Int64) {
    telling.withLock { _ in
      let listeners = state.withLock { state -> [Listener] in
        guard let listeners = state.listeners[zone] else { return [] }
        let behind = listeners.filter { $0.value.last.map { $0 < sequence } ?? true }
        for number in behind.keys { state.listeners[zone]?[number]?.last = sequence }
        return Array(behind.values)
      }
      for listener in listeners { listener.continuation.yield(sequence) }
    }
  }

  /// Ends all streams, and those to come.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { (state.listeners, state.users) = ([:], [:]) }
      return state.listeners.values.flatMap(\.values)
    }
    for listener in listeners { listener.continuation.finish() }
  }
}
