@testable import RoostServer
@testable import RoostSync
@testable import SyncMerge
import Synchronization
import Testing

/// What one user may ask at a time.
@Suite struct RequestLimitTests {
  /// A clock that the test sets.
  private final class Clock: Sendable {
    private let seconds = Mutex(0.0)
    func pass(_ more: Double) { seconds.withLock { $0 += more } }
    var now: Double { seconds.withLock(\.self) }
  }

  private let clock = Clock()

  private func limiter(_ limit: RequestLimit, mostUsers: Int = 10) -> RequestLimiter {
    RequestLimiter(limit, mostUsers: mostUsers) { [clock] in clock.now }
  }

  @Test func `a user may ask so often at once, and then so often a second`() throws {
    let limiter = limiter(RequestLimit(perSecond: 4, burst: 3, underWay: 9))
    func ask() throws {
      try limiter.begin("anna")
      limiter.end("anna")
    }
    for _ in 0..<3 { try ask() }
    #expect(throws: RequestLimiter.Refused(retryAfter: 0.25)) { try ask() }
    clock.pass(0.25)
    try ask()
    #expect(throws: RequestLimiter.Refused.self) { try ask() }
    // However long the pause.
    clock.pass(1_000)
    for _ in 0..<3 { try ask() }
    #expect(throws: RequestLimiter.Refused.self) { try ask() }
    // Others are not concerned.
    try limiter.begin("ben")
  }

  @Test func `so many requests of a user are under way at a time`() throws {
    let limiter = limiter(RequestLimit(perSecond: 1, burst: 99, underWay: 2))
    for _ in 0..<2 { try limiter.begin("anna") }
    #expect(throws: RequestLimiter.Refused(retryAfter: 1)) { try limiter.begin("anna") }
    limiter.end("anna")
    try limiter.begin("anna")
  }

  @Test func `who asks for nothing is forgotten when there are many`() throws {
    let limiter = limiter(RequestLimit(perSecond: 1, burst: 2, underWay: 2))
    for user in 0..<10 { try limiter.begin("\(user)") }
    for user in 0..<8 { limiter.end("\(user)") }
    clock.pass(1)
    try limiter.begin("another")
    #expect(limiter.users == 3)
  }

  @Test func `a device is told when to come again, and another user's is answered`() async throws {
    let folder = Folder()
    let server = try await RunningServer(folder, requestLimit: RequestLimit(perSecond: 0.001, burst: 1, underWay: 9))
    _ = try await server.service("anna").begin(Talk.hello())
    do {
      _ = try await server.service("anna").begin(Talk.hello())
      Issue.record("It was answered.")
    } catch SyncServiceError.busy(let retryAfter) {
      #expect((1...1_000).contains(try #require(retryAfter)))
    }
    _ = try await server.service("ben").begin(Talk.hello())
    try await server.stop()
  }
}
