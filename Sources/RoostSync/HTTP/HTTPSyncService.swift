#if Sync
  import AsyncHTTPClient
  package import Foundation
  import NIOCore
  import NIOHTTP1
  package import SyncMerge

  /// A server that is asked by HTTP.
  ///
  /// It believes nothing that it is answered: what cannot be read is ``SyncServiceError/malformed(_:)``, and what is
  /// larger than a limit is not read.
  package final class HTTPSyncService: SyncService {
    private let server: String
    private let token: TokenSource
    private let client: HTTPClient
    private let timeouts: Timeouts
    /// The most bytes of an answer.
    private let mostBytes: Int

    /// How long an answer may take.
    package struct Timeouts: Sendable {
      package var connect: Duration = .seconds(10)
      /// From the request to the answer's first bytes, and from there to its last, besides the time that bodies take.
      package var answer: Duration = .seconds(60)
      /// Between two things that a stream of heads says.
      package var silence: Duration = .seconds(3 * SyncWire.heartbeat)

      package init() {}
    }

    /// - Parameters:
    ///   - server: the address, such as `https://sync.example.com`, with or without a path.
    ///   - token: what tells the server whose the device is, asked for before each request.
    ///   - timeouts: how long an answer may take.
    ///   - mostBytes: the most bytes of an answer.
    package init(
      _ server: URL, token: @escaping @Sendable () async throws -> String, timeouts: Timeouts = Timeouts(),
      mostBytes: Int = 128 << 20
    ) {
      var address = server.absoluteString
      while address.hasSuffix("/") { address.removeLast() }
      (self.server, self.token, self.timeouts, self.mostBytes) = (address, TokenSource(token), timeouts, mostBytes)
      var configuration = HTTPClient.Configuration(
        // A token goes to the server that it is for, and to no other.
        redirectConfiguration: .disallow,
        timeout: .init(connect: TimeAmount(timeouts.connect), read: TimeAmount(timeouts.silence)))
      configuration.decompression = .disabled
      // A connection that is dead, as after a sleep, ends with the request that finds it so. That
      // of HTTP/2 would be used again.
      configuration.httpVersion = .http1Only
      // Whoever asks comes again by itself, when it is time for that.
      configuration.connectionPool.retryConnectionEstablishment = false
      client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // The client lives until its connections are closed.
    deinit { client.shutdown { _ in } }

    package func cancelTokenRequest(ifLate: Bool) { token.forget(olderThan: ifLate ? timeouts.answer : .zero) }

    package func begin(_ hello: SyncHello) async throws -> SyncWelcome {
      let answer = try await ask(.POST, SyncWire.begin, SyncWire.json, Array(try JSONEncoder().encode(hello)))
      do {
        return try JSONDecoder().decode(SyncWelcome.self, from: Data(answer.readableBytesView))
      } catch {
        throw SyncServiceError.refused(
          "What answers at \(server) is no sync server. Check the address that .server(_:token:) was given, and whether the network "
            + "asks people to sign in first.")
      }
    }

    package func push(_ push: SyncPush, to zone: String) async throws -> SyncPushAnswer {
      try read(await ask(.POST, SyncWire.path(zone, "push"), SyncWire.bytes, push.encoded))
    }

    package func page(
      behind cursor: Int64, seen: SyncPlace, of zone: String, for site: UInt64, limit: Int
    ) async throws -> SyncPage {
      let query = "?behind=\(cursor)&seen=\(seen.sequence)&mark=\(seen.mark)&site=\(site)&limit=\(limit)"
      return try read(await ask(.GET, SyncWire.path(zone, "page") + query))
    }

    package func digest(of zone: String) async throws -> SyncDigest {
      try read(await ask(.GET, SyncWire.path(zone, "digest")))
    }

    package func heads(of zone: String) async throws -> AsyncThrowingStream<Int64, any Error> {
      // It has no end: what is silent for too long ends it.
      let response = try await answer(.GET, SyncWire.path(zone, "heads"), within: .seconds(365 * 86_400)) {
        $0.headers.add(name: "accept", value: SyncWire.events)
      }
      return HeadsEvents.stream(of: response.body) { self.explained($0) }
    }

    // MARK: - Requests

    private func ask(
      _ method: HTTPMethod, _ path: String, _ type: String? = nil, _ body: [UInt8]? = nil
    ) async throws -> ByteBuffer {
      let sending = Duration.seconds((body?.count ?? 0) / SyncWire.leastBytesPerSecond)
      let response = try await answer(method, path, within: timeouts.answer + sending) { request in
        if let type { request.headers.add(name: "content-type", value: type) }
        // Piece by piece: the time in which the server must answer counts from the last one, and not from the first.
        if let body { request.body = .stream(Pieces(ByteBuffer(bytes: body)), length: .known(Int64(body.count))) }
      }
      return try await explaining { try await self.body(of: response, upTo: self.mostBytes) }
    }

    /// A body, of which the next piece is taken once there is room for it.
    private struct Pieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
      private var rest: ByteBuffer

      init(_ bytes: ByteBuffer) { rest = bytes }

      func makeAsyncIterator() -> Pieces { self }

      mutating func next() async -> ByteBuffer? {
        rest.readableBytes > 0 ? rest.readSlice(length: Swift.min(1 << 15, rest.readableBytes)) : nil
      }
    }

    private func validToken() async throws -> String {
      // Nobody would end a run of the closure that begins after that.
      try Task.checkCancellation()
      do {
        // The closure goes on, for the next who asks.
        let token = try await within(timeouts.answer) { [token] in try await token.token() }
        // What refuses a header that cannot be sent may say what was in it.
        if token.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
          throw SyncServiceError.refused(
            "The token has a character that no request may have, such as a line break at its end.")
        }
        return token
      } catch let error as SyncServiceError {
        throw error
      } catch is TimeIsOver {
        throw SyncServiceError.noToken("The program's token closure does not answer.")
      } catch let error as CancellationError where Task.isCancelled {
        throw error
      } catch {
        throw SyncServiceError.noToken("The program's token closure has thrown \(error).")
      }
    }

    /// What was asked for; throws any other answer. `prepare`: adds to a request what it has besides its token.
    private func answer(
      _ method: HTTPMethod, _ path: String, within time: Duration, _ prepare: (inout HTTPClientRequest) -> Void
    ) async throws -> HTTPClientResponse {
      var request = HTTPClientRequest(url: server + path)
      request.method = method
      prepare(&request)
      var (token, isAgain) = (try await validToken(), false)
      while true {
        request.headers.replaceOrAdd(name: "authorization", value: "Bearer \(token)")
        let response = try await explaining { [request] in
          try await self.client.execute(request, timeout: TimeAmount(time))
        }
        if response.status == .ok { return response }
        // It may have expired on the way, and the program has another one by now.
        if response.status == .unauthorized, !isAgain, let other = try? await validToken(), other != token {
          (token, isAgain) = (other, true)
          continue
        }
        // The status alone says most.
        let body = try? await self.body(of: response, upTo: 1 << 16)
        throw HTTPFailure.error(
          response.status, retryAfter: response.headers.first(name: "retry-after"),
          body.map { Data($0.readableBytesView) })
      }
    }

    /// All of an answer's body. Throws for one that is larger, or comes too slowly.
    ///
    /// The client's time for a request ends with the answer's head. What it has besides is a limit between two pieces,
    /// so that there is always a next piece to look at the clock at.
    private func body(of response: HTTPClientResponse, upTo most: Int) async throws -> ByteBuffer {
      let length = response.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
      if length > most { throw NIOTooManyBytesError(maxBytes: most) }
      let start = ContinuousClock.now
      var body = ByteBuffer()
      for try await piece in response.body {
        if body.readableBytes + piece.readableBytes > most { throw NIOTooManyBytesError(maxBytes: most) }
        body.writeImmutableBuffer(piece)
        let time = timeouts.answer + .seconds(body.readableBytes / SyncWire.leastBytesPerSecond)
        if ContinuousClock.now - start > time { throw SyncServiceError.unreachable("The answer comes too slowly.") }
      }
      return body
    }

    private func read<Value: SyncCodable>(_ buffer: ByteBuffer) throws -> Value {
      do throws(SyncCodingError) {
        return try buffer.withUnsafeReadableBytes { bytes in
          Result { () throws(SyncCodingError) in try Value(encoded: bytes) }
        }.get()
      } catch {
        throw SyncServiceError.malformed("\(Value.self): \(error)")
      }
    }

    private func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
      do {
        return try await body()
      } catch {
        throw explained(error)
      }
    }

    /// What became of a request that was not answered.
    private func explained(_ error: any Error) -> any Error {
      switch error {
      case is CancellationError: error
      case is SyncServiceError: error
      case is NIOTooManyBytesError: SyncServiceError.malformed("The answer is too large.")
      case let error as HTTPClientError where error == .cancelled && Task.isCancelled: CancellationError()
      case let error as HTTPClientError where [.readTimeout, .deadlineExceeded, .connectTimeout].contains(error):
        SyncServiceError.unreachable("\(server) does not answer.")
      case let error as HTTPClientError where error == .remoteConnectionClosed:
        SyncServiceError.unreachable("\(server) has closed the connection.")
      default: SyncServiceError.unreachable("\(server) is not reached (\(error)).")
      }
    }
  }
#endif
