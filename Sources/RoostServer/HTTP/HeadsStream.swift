#if Server
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import ServiceLifecycle
  import SyncMerge
  import Synchronization

  /// A zone's heads as server-sent events, until the device goes or the server ends.
  ///
  /// Source: [Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
  enum HeadsStream {
    static func response(_ heads: AsyncThrowingStream<Int64, any Error>) -> Response {
      var headers: HTTPFields = [.contentType: SyncWire.events, .cacheControl: "no-store"]
      // nginx would keep events until it has some thousand bytes of them.
      if let buffering = HTTPField.Name("X-Accel-Buffering") { headers[buffering] = "no" }
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody { writer in
          try await send(heads) { try await writer.write(ByteBuffer(string: $0)) }
          try await writer.finish(nil)
        })
    }

    /// Writes each head, and a comment where there is none for long, so that both ends know that the other is there.
    private static func send(
      _ heads: AsyncThrowingStream<Int64, any Error>, _ write: (String) async throws -> Void
    ) async throws {
      let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let last = LastHead()
      try await withGracefulShutdownHandler {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            defer { signal.finish() }
            for try await head in heads {
              last.set(head)
              signal.yield()
            }
          }
          group.addTask {
            while true {
              try await Task.sleep(for: .seconds(SyncWire.heartbeat))
              signal.yield()
            }
          }
          defer { group.cancelAll() }
          for await _ in signals { try await write(last.take().map { "data: \($0)\n\n" } ?? ":\n\n") }
        }
      } onGracefulShutdown: {
        signal.finish()
      }
    }
  }

  /// The last head that is still to be sent.
  private final class LastHead: Sendable {
    private let head = Mutex<Int64?>(nil)

    func set(_ value: Int64) { head.withLock { $0 = value } }

    func take() -> Int64? {
      head.withLock { head in
        defer { head = nil }
        return head
      }
    }
  }
#endif
