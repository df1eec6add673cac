import NIOCore
@testable import RoostSync
@testable import SyncMerge
import Synchronization
import Testing

/// A device whose server takes its time.
@Suite struct SlowServerTests {
  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      (200, .unreachable("The answer comes too slowly.")), (503, .busy(retryAfter: 7)),
    ] as [(Int, SyncServiceError)])
  func `an answer that comes too slowly is not waited for`(_ status: Int, _ error: SyncServiceError) async throws {
    let server = try await Listening(Dripping(status))
    var timeouts = HTTPSyncService.Timeouts()
    timeouts.answer = .seconds(2)
    let service = HTTPSyncService(server.url, token: { "anna" }, timeouts: timeouts)
    await #expect(throws: error) { try await service.digest(of: "notes") }
    try await server.close()
  }

  @Test(.timeLimit(.minutes(20))) func `what takes longer to send than a server may be silent is sent`() async throws {
    let value = SyncFieldEdit(value: .blob([UInt8](repeating: 1, count: 32 << 20)), stamp: SyncStamp(time: 1, site: 1))
    let row = SyncRowID(entity: 1, site: 1, key: 1)
    let edit = SyncEdit(row: row, kind: .insert, stamp: value.stamp, fields: [1: value])
    let push = SyncPush(site: 1, number: 1, edits: [edit])
    let server = try await Listening(Sipping(push.encoded.count))
    var timeouts = HTTPSyncService.Timeouts()
    timeouts.silence = .seconds(15)
    let service = HTTPSyncService(server.url, token: { "anna" }, timeouts: timeouts)
    await #expect(throws: SyncServiceError.busy(retryAfter: 7)) { try await service.push(push, to: "notes") }
    try await server.close()
  }
}

/// Takes three quarters of a body in small pieces, which takes twenty seconds, and the rest, which may be on its way
/// since the client sent its last piece, at once; and answers then.
private final class Sipping: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  private let rest: Atomic<Int>
  private let last: Int
  private let bytesPerSecond: Int
  private let isInBody = Atomic(false)

  init(_ bytes: Int) {
    rest = Atomic(bytes)
    last = bytes / 4
    bytesPerSecond = (bytes - last) / 20
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    // Some systems would have room for all of the body.
    channel.setOption(.socketOption(.so_rcvbuf), value: 1 << 16).whenFailure(record)
    channel.setOption(.maxMessagesPerRead, value: 1).whenFailure(record)
    channel.setOption(.autoRead, value: false).whenFailure(record)
  }

  private func record(_ error: any Error) {
    // Whoever found the port by chance is gone at once.
    if error as? ChannelError != .ioOnClosedChannel { Issue.record(error) }
  }

  func channelActive(context: ChannelHandlerContext) { context.read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = context.channel
    var bytes = Array(unwrapInboundIn(data).readableBytesView)[...]
    // The head comes in one piece.
    if !isInBody.exchange(true, ordering: .relaxed), let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
      bytes = bytes[end.upperBound...]
    }
    let rest = self.rest.subtract(bytes.count, ordering: .relaxed).newValue
    if rest <= 0 {
      let answer = "HTTP/1.1 503 X\r\ncontent-length: 0\r\nretry-after: 7\r\n\r\n"
      channel.writeAndFlush(ByteBuffer(string: answer), promise: nil)
    }
    // However large the pieces are that the system gives: of small ones, each after the same time, a body would take
    // minutes.
    let time = rest > last ? bytes.count * 1_000_000 / bytesPerSecond : 0
    context.eventLoop.scheduleTask(in: .microseconds(Int64(time))) { channel.read() }
  }
}

/// Sends a body byte by byte, which would take ten minutes.
private final class Dripping: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer
  private let status: Int
  private let hasBegun = Atomic(false)

  init(_ status: Int) { self.status = status }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // A request may come in parts.
    if hasBegun.exchange(true, ordering: .relaxed) { return }
    let channel = context.channel
    let head = "HTTP/1.1 \(status) X\r\ncontent-length: 60000\r\nretry-after: 7\r\n\r\n"
    channel.writeAndFlush(ByteBuffer(string: head), promise: nil)
    context.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(0), delay: .milliseconds(10)) { task in
      if channel.isActive {
        channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
      } else {
        task.cancel()
      }
    }
  }
}
