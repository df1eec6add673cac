import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
@testable import RoostServer
@testable import RoostSync
@testable import SyncMerge
import Synchronization
import Testing

/// Those who do not read what they are answered, or do so slowly.
@Suite struct SlowPeerTests {
  private let folder = Folder()

  /// Gives the zone of which ``page(_:)`` asks more bytes than a connection takes that nobody reads from.
  private func fill() async throws {
    let server = try await RunningServer(folder)
    _ = try await server.service().begin(Talk.hello())
    for number in Int64(1)...2 {
      let push = Talk.push(number, rows: number..<number + 1, text: String(repeating: "x", count: 7 << 20))
      _ = try await server.service().push(push, to: "notes")
    }
    try await server.stop()
  }

  private static func page(_ headers: String = "") -> String {
    "GET /v1/zones/notes/page?behind=0&seen=0&mark=0&site=9&limit=9 HTTP/1.1\r\nhost: localhost\r\n"
      + "authorization: Bearer anna\r\n\(headers)\r\n"
  }

  @Test(.timeLimit(.minutes(10)))
  func `who asks and reads nothing is cut off`() async throws {
    try await fill()
    var timeouts = RoostServer.Timeouts()
    (timeouts.body, timeouts.bytesPerSecond) = (.milliseconds(100), .max)
    let server = try await RunningServer(folder, timeouts: timeouts)
    let channel = try await Peer().connect(to: server.url, isReading: false)
    // More than the server reads before it has answered: so the system tells the peer at once that it is cut off.
    let requests = String(repeating: Self.page(), count: 10_000)
    channel.writeAndFlush(ByteBuffer(string: requests), promise: nil)
    try await channel.closeFuture.get()
    try await server.stop()
  }

  @Test(.timeLimit(.minutes(10)))
  func `who is refused, and goes on with the body byte by byte, is cut off`() async throws {
    var timeouts = RoostServer.Timeouts()
    (timeouts.body, timeouts.idle) = (.milliseconds(100), .seconds(1))
    let server = try await RunningServer(folder, timeouts: timeouts)
    let channel = try await Peer().connect(to: server.url, isReading: true)
    let head = "POST /v1/begin HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n"
    channel.writeAndFlush(ByteBuffer(string: head), promise: nil)
    let bytes = channel.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(50), delay: .milliseconds(50)) { _ in
      channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
    }
    try await channel.closeFuture.get()
    bytes.cancel()
    try await server.stop()
  }

  @Test(.timeLimit(.minutes(10)))
  func `who reads slowly gets all, however long the connection is idle for its server`() async throws {
    try await fill()
    var timeouts = RoostServer.Timeouts()
    timeouts.idle = .seconds(3)
    let server = try await RunningServer(folder, timeouts: timeouts)
    let (slow, idle) = (Peer(), Peer())
    let channel = try await slow.connect(to: server.url, isReading: false)
    channel.writeAndFlush(ByteBuffer(string: Self.page("connection: close\r\n")), promise: nil)
    channel.read()
    for await _ in slow.pieces { break }
    // The server closes one that is idle from here on.
    try await idle.connect(to: server.url, isReading: true).closeFuture.get()
    try await channel.setOption(ChannelOptions.autoRead, value: true).get()
    try await channel.closeFuture.get()
    #expect(slow.bytes > 14 << 20)
    try await server.stop()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a request is under way until its answer is read`() async throws {
    try await fill()
    let server = try await RunningServer(
      folder, requestLimit: RequestLimit(perSecond: 1_000_000, burst: 1_000_000, underWay: 1))
    let peer = Peer()
    let channel = try await peer.connect(to: server.url, isReading: false)
    channel.writeAndFlush(ByteBuffer(string: Self.page()), promise: nil)
    channel.read()
    for await _ in peer.pieces { break }
    let service = server.service()
    await #expect(throws: SyncServiceError.busy(retryAfter: 1)) { try await service.digest(of: "notes") }
    _ = try await server.service("ben").begin(Talk.hello())
    try await channel.close()
    while (try? await service.digest(of: "notes")) == nil { await Task.yield() }
    try await server.stop()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a stream whose events are not taken ends with its connection`() async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    var timeouts = RoostServer.Timeouts()
    timeouts.body = .milliseconds(20)
    let events = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: ":\n\n"))
      try await writer.finish(nil)
    }
    let timed = events.timed(timeouts, channel, Logger(label: "test"))
    await #expect(throws: ChannelError.self) { try await timed.write(Untaken(channel: channel)) }
  }
}

/// What waits until the connection is closed.
private struct Untaken: ResponseBodyWriter {
  let channel: any Channel

  func write(_ buffer: ByteBuffer) async throws { try await fail() }

  func finish(_ trailingHeaders: HTTPFields?) async throws { try await fail() }

  private func fail() async throws {
    try await channel.closeFuture.get()
    throw ChannelError.ioOnClosedChannel
  }
}

/// Counts the bytes that it reads.
private final class Peer: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  private let count = Mutex(0)
  /// Something for each piece that it reads.
  let pieces: AsyncStream<Void>
  private let piece: AsyncStream<Void>.Continuation

  init() { (pieces, piece) = AsyncStream.makeStream() }

  var bytes: Int { count.withLock(\.self) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data).readableBytes
    count.withLock { $0 += bytes }
    piece.yield()
  }

  /// `isReading`: whether it reads by itself.
  func connect(to server: URL, isReading: Bool) async throws -> any Channel {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(ChannelOptions.autoRead, value: isReading)
      .channelInitializer { channel in channel.pipeline.addHandler(self) }
      .connect(host: "127.0.0.1", port: server.port ?? 0).get()
  }
}
