#if Server
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import Logging
  import NIOCore

  /// Closes the connections of those who do not take what they are answered.
  ///
  /// Nothing else does that: a connection is idle only between the end of an answer and the next request.
  struct TimedAnswers: RouterMiddleware {
    let timeouts: RoostServer.Timeouts

    func handle(
      _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
      var response = try await next(request, context)
      response.body = response.body.timed(timeouts, context.channel, context.logger)
      return response
    }
  }

  extension ResponseBody {
    /// The same, each piece of which must be taken in time, or the connection is closed.
    func timed(_ timeouts: RoostServer.Timeouts, _ channel: any Channel, _ logger: Logger) -> ResponseBody {
      ResponseBody(contentLength: contentLength) { writer in
        try await self.write(TimedWriter(writer: writer, channel: channel, timeouts: timeouts, logger: logger))
      }
    }
  }

  /// Writes each piece, and the end of an answer, once nearly all of the piece before was taken. Until the end is
  /// written the connection does not count as idle, so that a slow reader gets all.
  private struct TimedWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let channel: any Channel
    let timeouts: RoostServer.Timeouts
    let logger: Logger
    /// The bytes of the piece before.
    var former = 0

    mutating func write(_ buffer: ByteBuffer) async throws {
      let timer = closing()
      defer { timer.cancel() }
      try await writer.write(buffer)
      former = buffer.readableBytes
      // The connection's thread has the piece by then: without that the next one would be taken at once.
      try await channel.eventLoop.submit {}.get()
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {
      let timer = closing()
      defer { timer.cancel() }
      try await writer.finish(trailingHeaders)
    }

    /// Closes the connection if the piece before is not taken in time, which ends the wait for that.
    private func closing() -> Scheduled<Void> {
      channel.eventLoop.scheduleTask(in: TimeAmount(timeouts.longest(former))) { [channel, logger] in
        logger.info("An answer is not taken in time: its connection is closed")
        channel.close(promise: nil)
      }
    }
  }
#endif
