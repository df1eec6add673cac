import Foundation
import NIOCore
import NIOPosix
import Testing

/// A server on a port of this machine that says what a handler says, to all who connect.
struct Listening {
  let url: URL
  private let channel: any Channel

  /// Starts one. `handler`: makes one for each connection, as programs of other tests may take the port for that of a
  /// server that they knew.
  init(_ handler: @autoclosure @escaping @Sendable () -> some ChannelInboundHandler & Sendable) async throws {
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { connection in connection.pipeline.addHandler(handler()) }
      .bind(host: "127.0.0.1", port: 0).get()
    url = try #require(URL(string: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"))
  }

  func close() async throws { try await channel.close() }
}
