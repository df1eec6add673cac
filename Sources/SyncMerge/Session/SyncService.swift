/// What a device asks of a server, in the same process or by HTTP.
///
/// Its functions throw ``SyncZoneError`` for what the zone refuses, and ``SyncServiceError`` for all else.
package protocol SyncService: Sendable {
  func begin(_ hello: SyncHello) async throws -> SyncWelcome
  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer
  /// The rows that changed behind a sequence; see ``SyncZone/page(behind:seen:for:limit:)``.
  func page(behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int) async throws
    -> SyncPage
  /// Which rows there are; see ``SyncZone/digest()``.
  func digest(of zone: String) async throws -> SyncDigest
  /// The sequences of the zone's last change, now and whenever there is another, until the task is cancelled or the
  /// connection ends.
  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error>
  /// Waits no more for the token that the program is being asked for. `ifLate`: only where a request
  /// was given up that waited for it.
  func cancelTokenRequest(ifLate: Bool)
}

extension SyncService {
  package func cancelTokenRequest(ifLate: Bool) {}
}

/// Why a server was not asked, or did not answer.
package enum SyncServiceError: Error, Hashable, Sendable {
  /// It was not reached, or the connection ended. Whether it took what was sent is not known.
  case unreachable(String)
  /// The program gives no token, and says why.
  case noToken(String)
  /// It does not know the token.
  case unauthorized
  /// It has no time now. `retryAfter`: in so many seconds, where it says so.
  case busy(retryAfter: Double?)
  /// It failed, and says why.
  case failed(String)
  /// It is no sync server, or cannot do what it is asked: it would be no use to ask again soon.
  case refused(String)
  /// Its answer cannot be read.
  case malformed(String)
  /// What was sent is too large.
  case tooLarge
}
