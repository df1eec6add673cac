import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
@testable import RoostSync
@testable import SyncMerge
import Synchronization
@testable import TestSupport
import Testing

/// What neither end would send.
@Suite struct GarbageTests {
  private let folder = Folder()

  @Test func `a program of another version is told so, however it says the rest`() async throws {
    let server = try await RunningServer(folder)
    var request = HTTPClientRequest(url: "\(server.url)/v1/begin")
    request.method = .POST
    request.headers.add(name: "authorization", value: "Bearer anna")
    request.body = .bytes(ByteBuffer(string: #"{"versions": [7, 8], "zones": ["notes"]}"#))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    let body = Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
    #expect(response.status.code == 426)
    #expect(try JSONDecoder().decode(SyncFailure.self, from: body).zone == .unknownVersion(newest: 1))
    try await server.stop()
  }

  @Test func `a server says what is wrong with a request that makes no sense, and goes on`() async throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var (random, sync) = (SeededRandom(seed: seed), RandomSync(seed: seed))
    let server = try await RunningServer(folder)
    _ = try await server.service().begin(Talk.hello())
    let hello = Array(try JSONEncoder().encode(Talk.hello()))
    let routes = [
      "begin", "zones/notes/push", "zones/notes/page", "zones/none/heads", "zones//push", "zones/%ff/push", "x",
    ]
    var statuses: [UInt: Int] = [:]
    for _ in 0..<1_000 {
      var request = HTTPClientRequest(url: "\(server.url)/v1/\(random.pick(routes))\(Self.query(&random))")
      request.method = random.pick([.GET, .POST, .POST, .PUT])
      if !random.once(in: 20) {
        request.headers.add(name: "authorization", value: random.pick(["Bearer anna", "anna"]))
      }
      let body = random.pick([hello, Talk.push(1).encoded, Talk.push(1).encoded, []])
      request.body = .bytes(ByteBuffer(bytes: random.once(in: 2) ? body : sync.damaged(body)))
      let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
      _ = try await response.body.collect(upTo: 1 << 20)
      statuses[response.status.code, default: 0] += 1
    }
    #expect(statuses.keys.allSatisfy { $0 < 500 }, "\(statuses)")
    #expect(Set(statuses.keys).isSuperset(of: [200, 400, 401, 404, 409]), "\(statuses)")
    _ = try await server.service().begin(Talk.hello("other"))
    try await server.stop()
  }

  private static func query(_ random: inout SeededRandom) -> String {
    if random.once(in: 3) { return "" }
    func number() -> String { random.pick(["0", "1", "-1", "9223372036854775808", "x", "", "\(random.next())"]) }
    return "?behind=\(number())&seen=\(number())&mark=\(number())&site=\(number())&limit=\(number())"
  }

  @Test(arguments: [true, false])
  func `a device reads what it can of answers that were spoiled, and says so of others`(isHTTP: Bool) async throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var (random, sync) = (SeededRandom(seed: seed), RandomSync(seed: seed))
    let answers = Answers()
    let server = try await Listening(answers)
    let service = HTTPSyncService(server.url, token: { "anna" })
    let welcome = Data("{}".utf8)
    var (good, bad) = (0, 0)
    func tried(_ body: () async throws -> Void) async {
      do {
        try await body()
        good += 1
      } catch is SyncServiceError {
        bad += 1
      } catch {
        Issue.record("ROOST_SEED=\(seed): \(error)")
      }
    }
    for _ in 0..<300 {
      let bodies = [sync.answer().encoded, sync.page().encoded, Array(welcome)]
      answers.set(Self.message(random.pick(bodies), isHTTP, &random, &sync))
      await tried { _ = try await service.push(Talk.push(1), to: "notes") }
      await tried { _ = try await service.page(behind: 0, seen: .start, of: "notes", for: 1, limit: 1) }
      await tried { _ = try await service.begin(Talk.hello()) }
      await tried { for try await _ in try await service.heads(of: "notes") {} }
    }
    #expect(good > 0 && bad > 300)
    try await server.close()
  }

  /// An answer whose body was spoiled, or the head too.
  private static func message(_ body: [UInt8], _ isHTTP: Bool, _ random: inout SeededRandom, _ sync: inout RandomSync)
    -> [UInt8]
  {
    let body = random.once(in: 3) ? body : sync.damaged(body)
    let status = random.pick([200, 200, 200, 409, 503])
    let head = "HTTP/1.1 \(status) X\r\ncontent-length: \(body.count)\r\nretry-after: nan\r\nconnection: close\r\n\r\n"
    return isHTTP ? Array(head.utf8) + body : sync.damaged(Array(head.utf8) + body)
  }
}

/// A server that answers each connection with the same bytes and closes it.
private final class Answers: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  private let bytes = Mutex<[UInt8]>([])

  func set(_ value: [UInt8]) { bytes.withLock { $0 = value } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = context.channel
    channel.writeAndFlush(ByteBuffer(bytes: bytes.withLock { $0 })).whenComplete { _ in channel.close(promise: nil) }
  }
}
