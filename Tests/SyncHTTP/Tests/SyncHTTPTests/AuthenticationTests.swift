@testable import RoostServer
@testable import RoostSync
@testable import SyncMerge
import Synchronization
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

  /// One that knows one token, and counts how often it was asked.
  private final class One: SyncAuthenticator {
    let asked = Atomic<Int>(0)

    func user(for token: String) -> String? {
      asked.add(1, ordering: .relaxed)
      return token == "valid" ? "anna" : nil
    }
  }

  @Test(.timeLimit(.minutes(10)), arguments: [true, false])
  func `a token that was refused is asked for once more, and sent if it is another one`(isRenewed: Bool) async throws {
    let one = One()
    let server = try await RunningServer(folder, authenticator: one)
    let given = Atomic<Int>(0)
    let service = HTTPSyncService(
      server.url, token: { given.add(1, ordering: .relaxed).newValue > 1 && isRenewed ? "valid" : "expired" })
    if isRenewed {
      let welcome = try await service.begin(Talk.hello())
      #expect(welcome.lastPush == 0)
    } else {
      await #expect(throws: SyncServiceError.unauthorized) { try await service.begin(Talk.hello()) }
    }
    #expect(given.load(ordering: .relaxed) == 2 && one.asked.load(ordering: .relaxed) == (isRenewed ? 2 : 1))
    try await server.stop()
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
