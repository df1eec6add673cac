package import SyncMerge

/// A server in the same process, as one user's devices ask it.
package struct ServerService: SyncService {
  private let server: SyncServer
  private let user: String

  init(_ server: SyncServer, _ user: String) { (self.server, self.user) = (server, user) }

  package func begin(_ hello: SyncHello) async throws -> SyncWelcome { try await server.begin(hello, for: user) }

  package func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer {
    try await server.push(push, to: zone, for: user)
  }

  package func page(
    behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int
  ) async throws -> SyncPage {
    try await server.page(behind: cursor, seen: seen, of: zone, for: site, limit: limit, user: user)
  }

  package func digest(of zone: String) async throws -> SyncDigest { try await server.digest(of: zone, for: user) }

  package func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> {
    try await server.heads(of: zone, for: user)
  }
}

extension SyncServer {
  /// The server as a user's devices ask it, without a network.
  package func service(for user: String) -> some SyncService { ServerService(self, user) }
}
