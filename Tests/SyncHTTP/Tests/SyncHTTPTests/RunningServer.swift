import Foundation
import Logging
@testable import RoostServer
@testable import RoostSync
import ServiceLifecycle
@testable import SyncMerge
@testable import SyncServer
import Testing

/// A server on a port of this machine, in a folder of its own.
final class RunningServer: Sendable {
  let url: URL
  private let group: ServiceGroup
  private let running: Task<Void, any Error>

  /// Starts one.
  init(
    _ folder: Folder, authenticator: any SyncAuthenticator = DevelopmentTokens(), limits: SyncLimits = SyncLimits(),
    requestLimit: RequestLimit? = nil, timeouts: RoostServer.Timeouts = RoostServer.Timeouts()
  ) async throws {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = try RoostServer(
      data: folder.url, authenticator: authenticator, isDevelopment: true, requestLimit: requestLimit,
      logger: logger, limits: limits, timeouts: timeouts)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let group = server.serviceGroup(host: "127.0.0.1", port: 0) { port.yield($0) }
    self.group = group
    running = Task {
      defer { port.finish() }
      try await server.run(group)
    }
    guard let found = await ports.first(where: { _ in true }) else {
      try await running.value
      throw CancellationError()
    }
    url = try #require(URL(string: "http://127.0.0.1:\(found)"))
  }

  func service(_ user: String = "anna", mostBytes: Int = 128 << 20) -> HTTPSyncService {
    HTTPSyncService(url, token: { user }, mostBytes: mostBytes)
  }

  /// Ends it as SIGTERM does.
  func stop() async throws {
    await group.triggerGracefulShutdown()
    try await running.value
  }

  /// Ends it at once.
  func cutOff() async {
    running.cancel()
    _ = await running.result
  }
}

/// A folder that goes with its owner.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "roost-http-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// What devices of the tests say.
enum Talk {
  static func hello(_ zone: String = "notes", site: UInt64 = 1, lastPush: Int64 = 0, versions: ClosedRange<Int> = 1...1)
    -> SyncHello
  {
    let fields = [
      SyncFieldDefinition(SyncName("count"), policy: .counter), SyncFieldDefinition(SyncName("text")),
    ]
    return SyncHello(
      versions: versions, zone: zone, site: site, lastPush: lastPush,
      schema: SyncSchema(entities: [SyncEntity(SyncName("Item"), fields: fields)]))
  }

  static func push(_ number: Int64, site: UInt64 = 1, rows: Range<Int64> = 0..<3, text: String = "text") -> SyncPush {
    let stamp = SyncStamp(time: UInt64(number), site: site)
    let edits = rows.map { key in
      SyncEdit(
        row: SyncRowID(entity: 1, site: site, key: key), kind: .insert, stamp: stamp,
        fields: [2: SyncFieldEdit(value: .text(text), stamp: stamp)])
    }
    return SyncPush(site: site, number: number, edits: edits)
  }
}
