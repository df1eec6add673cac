import Foundation
@testable import RoostSync
@testable import SyncMerge
import Synchronization
import Testing

/// Programs whose closure gives no token.
@Suite struct TokenTests {
  /// Closures that have not answered.
  private final class Hanging: Sendable {
    private let all = Mutex<[CheckedContinuation<String, Never>]>([])

    /// Waits, whether or not it is cancelled.
    func wait() async -> String { await withCheckedContinuation { new in all.withLock { $0.append(new) } } }

    func end() { for each in all.withLock(\.self) { each.resume(returning: "late") } }
  }

  private func error(_ token: @escaping @Sendable () async throws -> String) async throws -> SyncServiceError? {
    var timeouts = HTTPSyncService.Timeouts()
    timeouts.answer = .milliseconds(50)
    let service = HTTPSyncService(try #require(URL(string: "http://127.0.0.1:9")), token: token, timeouts: timeouts)
    return await #expect(throws: SyncServiceError.self) { try await service.digest(of: "library") }
  }

  @Test(.timeLimit(.minutes(10))) func `a token closure that never answers is given up`() async throws {
    let error = try await error {
      try await Task.sleep(for: .seconds(86_400))
      return "ann"
    }
    guard case .noToken(let reason)? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(reason.contains("token closure"))
  }

  @Test(.timeLimit(.minutes(10)))
  func `a token that comes late is for the next request, and the closure is not asked again meanwhile`() async throws {
    let (tokens, give) = AsyncStream<String>.makeStream()
    let count = Atomic<Int>(0)
    let source = TokenSource {
      count.add(1, ordering: .relaxed)
      for await token in tokens { return token }
      throw CancellationError()
    }
    for _ in 0..<2 {
      await #expect(throws: TimeIsOver.self) { try await within(.milliseconds(20)) { try await source.token() } }
    }
    #expect(count.load(ordering: .relaxed) == 1)
    // It is not late enough.
    source.forget(olderThan: .seconds(600))
    async let late = source.token()
    // It may be asked for once this run has ended.
    for _ in 0..<2 { give.yield("ann") }
    #expect(try await late == "ann")
  }

  @Test(.timeLimit(.minutes(10)))
  func `a run of the closure for another account, or that never ends, is given up`() async throws {
    let count = Atomic<Int>(0)
    for isOtherAccount in [true, false] {
      let source = TokenSource(longest: isOtherAccount ? .seconds(600) : .milliseconds(10)) {
        if count.add(1, ordering: .relaxed).newValue % 2 == 0 { return "ben" }
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
      }
      await #expect(throws: TimeIsOver.self) { try await within(.milliseconds(20)) { try await source.token() } }
      if isOtherAccount { source.forget() }
      // On a busy machine the second run may be too slow, too.
      while (try? await source.token()) != "ben" { try Task.checkCancellation() }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `who waits for a run of the closure that is given up gets the token of the next one`() async throws {
    let hanging = Hanging()
    let (begun, begins) = AsyncStream<Void>.makeStream()
    let count = Atomic<Int>(0)
    let source = TokenSource {
      begins.yield()
      return count.add(1, ordering: .relaxed).newValue > 1 ? "ann" : await hanging.wait()
    }
    async let token = source.token()
    for await _ in begun { break }
    source.forget()
    #expect(try await token == "ann")
    hanging.end()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a token closure that hangs is called again where a request was given up that waited for it`()
    async throws
  {
    let count = Atomic<Int>(0)
    var timeouts = HTTPSyncService.Timeouts()
    timeouts.answer = .milliseconds(50)
    let url = try #require(URL(string: "http://127.0.0.1:9"))
    let service = HTTPSyncService(
      url,
      token: {
        if count.add(1, ordering: .relaxed).newValue == 1 { for await _ in AsyncStream<Void>.makeStream().stream {} }
        return "ann"
      }, timeouts: timeouts)
    let reason = "The program's token closure does not answer."
    await #expect(throws: SyncServiceError.noToken(reason)) { try await service.digest(of: "library") }
    service.cancelTokenRequest(ifLate: true)
    let error = await #expect(throws: SyncServiceError.self) { try await service.digest(of: "library") }
    guard case .unreachable? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
  }

  @Test func `a token closure that is cancelled by itself is one that fails, and is asked again`() async throws {
    let error = try await error { throw CancellationError() }
    guard case .noToken? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
  }
}
