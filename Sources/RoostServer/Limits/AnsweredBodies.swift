#if Server
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import NIOHTTPTypes

  /// Closes a connection whose peer goes on with the body of a request that is answered: that of one which was refused
  /// is not read, and would keep the connection for as long as a byte comes now and then.
  final class AnsweredBodies: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart

    private let timeouts: RoostServer.Timeouts
    private var isBodyComing = false
    /// How many requests have begun that are not answered yet.
    private var open = 0
    private var timer: Scheduled<Void>?

    init(_ timeouts: RoostServer.Timeouts) { self.timeouts = timeouts }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head: (isBodyComing, open) = (true, open + 1)
      case .body: break
      case .end:
        isBodyComing = false
        stop()
      }
      context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) {
        open -= 1
        if isBodyComing, open == 0 {
          let channel = context.channel
          timer = context.eventLoop.scheduleTask(in: TimeAmount(timeouts.longest(0))) { channel.close(promise: nil) }
        }
      }
      context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
      stop()
      context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func stop() {
      timer?.cancel()
      timer = nil
    }
  }
#endif
