import Synchronization

/// Counts each user's requests: a token bucket, and how many are under way.
package final class RequestLimiter: Sendable {
  /// A user's request that is to come later.
  package struct Refused: Error, Hashable {
    /// In so many seconds.
    package let retryAfter: Double
  }

  private struct Bucket {
    /// How many requests may come at once.
    var tokens: Double
    /// When that was so.
    var time: Double
    var underWay = 0
  }

  private let limit: RequestLimit
  private let now: @Sendable () -> Double
  private let buckets = Mutex<[String: Bucket]>([:])
  /// How many users are known before those are forgotten who have asked for nothing for long.
  private let mostUsers: Int

  /// Knows no user yet.
  ///
  /// - Parameters:
  ///   - limit: how much a user may ask.
  ///   - mostUsers: how many users are known before idle ones are forgotten.
  ///   - now: seconds since any time, which never go back.
  package init(_ limit: RequestLimit, mostUsers: Int = 10_000, now: @escaping @Sendable () -> Double) {
    (self.limit, self.mostUsers, self.now) = (limit, mostUsers, now)
  }

  /// How many users are known.
  package var users: Int { buckets.withLock(\.count) }

  /// Lets a user's request begin, which ``end(_:)`` is to follow.
  ///
  /// - Throws: ``Refused``.
  package func begin(_ user: String) throws(Refused) {
    let time = now()
    let wait: Double? = buckets.withLock { buckets in
      if buckets[user] == nil, buckets.count >= mostUsers {
        buckets = buckets.filter { $1.underWay > 0 || tokens($1, time) < Double(limit.burst) }
      }
      var bucket = buckets[user] ?? Bucket(tokens: Double(limit.burst), time: time)
      defer { buckets[user] = bucket }
      (bucket.tokens, bucket.time) = (tokens(bucket, time), time)
      if bucket.underWay >= limit.underWay { return 1 }
      if bucket.tokens < 1 { return (1 - bucket.tokens) / limit.perSecond }
      bucket.tokens -= 1
      bucket.underWay += 1
      return nil
    }
    if let wait { throw Refused(retryAfter: wait) }
  }

  /// Notes that a request is over.
  package func end(_ user: String) { buckets.withLock { $0[user]?.underWay -= 1 } }

  private func tokens(_ bucket: Bucket, _ time: Double) -> Double {
    min(Double(limit.burst), bucket.tokens + max(0, time - bucket.time) * limit.perSecond)
  }
}
