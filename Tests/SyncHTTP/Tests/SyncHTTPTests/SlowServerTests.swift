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
