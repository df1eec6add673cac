@testable import RoostServer
@testable import RoostSync
@testable import SyncMerge
import Testing

/// What a server does with an authenticator that does not do its part.
@Suite struct AuthenticationTests {
  private let folder = Folder()

  /// One that says nothing until the gate is open, cancelled or not.
  private struct Silent: SyncAuthenticator {
    let gate: AsyncStream<Void>

    func user(for token: String) async -> String? {
      // A task of its own, which is not cancelled with the one that waits for it.
      await Task { [gate] in for await _ in gate {} }.value
      return nil
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a device whose token nobody judges is told to come again`() async throws {
    let (gate, open) = AsyncStream<Void>.makeStream()
    var timeouts = RoostServer.Timeouts()
    timeouts.authentication = .milliseconds(50)
    let server = try await RunningServer(folder, authenticator: Silent(gate: gate), timeouts: timeouts)
    await #expect(throws: SyncServiceError.busy(retryAfter: 5)) { try await server.service().begin(Talk.hello()) }
    open.finish()
    try await server.stop()
  }
}
