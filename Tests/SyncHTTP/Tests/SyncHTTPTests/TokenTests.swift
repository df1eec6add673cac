import Foundation
@testable import RoostSync
@testable import SyncMerge
import Testing

/// Programs whose closure gives no token.
@Suite struct TokenTests {
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
    guard case .failed(let reason)? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
    #expect(reason.contains("token closure"))
  }

  @Test func `a token closure that is cancelled by itself is one that fails, and is asked again`() async throws {
    let error = try await error { throw CancellationError() }
    guard case .failed? = error else {
      Issue.record("\(error.map { "\($0)" } ?? "no error")")
      return
    }
  }
}
