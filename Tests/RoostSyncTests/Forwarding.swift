import SyncMerge

/// A service that has another one do all that it does not do itself.
protocol Forwarding: SyncService {
  associatedtype Service: SyncService
  var service: Service { get }
}

extension Forwarding {
  func begin(_ hello: SyncHello) async throws -> SyncWelcome { try await service.begin(hello) }
  func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer { try await service.push(push, to: zone) }
  func page(
    behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int
  ) async throws -> SyncPage {
    try await service.page(behind: cursor, seen: seen, of: zone, for: site, limit: limit)
  }
  func digest(of zone: String) async throws -> SyncDigest { try await service.digest(of: zone) }
  func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> {
    try await service.heads(of: zone)
  }
}
