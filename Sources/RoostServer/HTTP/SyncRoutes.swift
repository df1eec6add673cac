#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import SyncMerge
  import SyncServer

  /// What a server answers to which request.
  struct SyncRoutes: Sendable {
    private let server: SyncServer
    private let authenticator: any SyncAuthenticator
    private let limiter: RequestLimiter?
    private let timeouts: RoostServer.Timeouts

    init(
      _ server: SyncServer, _ authenticator: any SyncAuthenticator, _ limiter: RequestLimiter?,
      _ timeouts: RoostServer.Timeouts
    ) {
      (self.server, self.authenticator, self.limiter, self.timeouts) = (server, authenticator, limiter, timeouts)
    }

    func router(_ logger: Logger) -> Router<SyncContext> {
      let router = Router(context: SyncContext.self)
      router.addMiddleware {
        TimedAnswers(timeouts: timeouts)
        RequestLog(logger: logger)
        Failures()
        Authentication(authenticator: authenticator, timeout: timeouts.authentication)
        LimitedRequests(limiter: limiter)
      }
      router.post("v1/begin") { request, context in try await begin(request, context) }
      router.post("v1/zones/:zone/push") { request, context in try await push(request, context) }
      router.get("v1/zones/:zone/page") { request, context in try await page(request, context) }
      router.get("v1/zones/:zone/digest") { _, context in
        let digest = try await server.digest(of: context.zone, for: context.user)
        return Response(SyncWire.bytes, ByteBuffer(bytes: digest.encoded))
      }
      router.get("v1/zones/:zone/heads") { request, context in
        HeadsStream.response(try await server.heads(of: context.zone, for: context.user))
      }
      return router
    }

    private func begin(_ request: Request, _ context: SyncContext) async throws -> Response {
      let body = try await request.bytes(upTo: SyncWire.mostBeginning, timeouts)
      let hello: SyncHello
      do {
        hello = try JSONDecoder().decode(SyncHello.self, from: Data(body.readableBytesView))
      } catch {
        // Other versions may say the rest in another way.
        let versions = (try? JSONDecoder().decode(OtherHello.self, from: Data(body.readableBytesView)))?.versions
        if let versions, !versions.overlaps(SyncHello.versions) {
          throw SyncZoneError.unknownVersion(newest: SyncHello.versions.upperBound)
        }
        throw RequestError(.badRequest, "The body is no beginning of a session.")
      }
      let welcome = try await server.begin(hello, for: context.user)
      return .init(SyncWire.json, ByteBuffer(bytes: try JSONEncoder().encode(welcome)))
    }

    private func push(_ request: Request, _ context: SyncContext) async throws -> Response {
      let zone = try context.zone
      let body = try await request.bytes(upTo: server.limits.bytes + SyncWire.pushFrame, timeouts)
      let push: SyncPush
      do throws(SyncCodingError) {
        push = try body.withUnsafeReadableBytes { bytes in
          Result { () throws(SyncCodingError) in try SyncPush(encoded: bytes) }
        }.get()
      } catch {
        if error == .tooLarge { throw SyncServiceError.tooLarge }
        throw RequestError(.badRequest, "The body is no push: \(error).")
      }
      let answer = try await server.push(push, to: zone, for: context.user, bytes: body.readableBytes)
      return .init(SyncWire.bytes, ByteBuffer(bytes: answer.encoded))
    }

    private func page(_ request: Request, _ context: SyncContext) async throws -> Response {
      let query = request.uri.queryParameters
      func number<Number: LosslessStringConvertible>(_ name: Substring, _ type: Number.Type = Number.self) throws
        -> Number
      {
        guard let text = query[name], let number = Number(String(text)) else {
          throw RequestError(.badRequest, "The query lacks \(name), or it is no number.")
        }
        return number
      }
      let seen = SyncPlace(sequence: try number("seen"), mark: try number("mark"))
      let page = try await server.page(
        behind: try number("behind"), seen: seen, of: context.zone, for: try number("site"), limit: try number("limit"),
        user: context.user)
      return .init(SyncWire.bytes, ByteBuffer(bytes: page.encoded))
    }
  }

  /// A request, and whose it is.
  struct SyncContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    var user = ""
    /// The connection.
    let channel: any Channel

    init(source: Source) {
      coreContext = .init(source: source)
      channel = source.channel
    }

    /// The zone of the path.
    var zone: String {
      get throws {
        guard let zone = parameters.get("zone")?.removingPercentEncoding else {
          throw RequestError(.badRequest, "The path has no name of a zone.")
        }
        return zone
      }
    }
  }

  extension Request {
    /// The whole body. Throws for one that is larger, or that does not come.
    func bytes(upTo most: Int, _ timeouts: RoostServer.Timeouts) async throws -> ByteBuffer {
      let length = headers[.contentLength].flatMap { Int($0) } ?? most
      if length > most, headers[.contentLength] != nil { throw NIOTooManyBytesError(maxBytes: most) }
      return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
        group.addTask { try await body.collect(upTo: most) }
        group.addTask {
          try await Task.sleep(for: timeouts.longest(max(0, length)))
          throw RequestError(.requestTimeout, "The body did not come in time.")
        }
        defer { group.cancelAll() }
        guard let bytes = try await group.next() else { throw CancellationError() }
        return bytes
      }
    }
  }

  extension Response {
    /// An answer that nobody keeps.
    init(_ type: String, _ bytes: ByteBuffer, status: HTTPResponse.Status = .ok) {
      self.init(
        status: status, headers: [.contentType: type, .cacheControl: "no-store"], body: ResponseBody(byteBuffer: bytes))
    }
  }

  /// What every version of the protocol says as a session begins.
  private struct OtherHello: Decodable {
    let versions: ClosedRange<Int>
  }
#endif
