#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import SyncMerge
  import SyncServer

  /// A request that cannot be understood.
  struct RequestError: Error {
    let status: HTTPResponse.Status
    let reason: String

    init(_ status: HTTPResponse.Status, _ reason: String) { (self.status, self.reason) = (status, reason) }
  }

  /// Answers what is thrown with a status, and a ``SyncFailure``.
  struct Failures: RouterMiddleware {
    func handle(
      _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
      do {
        return try await next(request, context)
      } catch let error as SyncZoneError {
        return Self.response(error.status, SyncFailure(zone: error, reason: "\(error)"))
      } catch let error as SyncServiceError {
        return Self.response(error)
      } catch let error as RequestLimiter.Refused {
        return Self.response(.tooManyRequests, "The user asks for too much at a time.", retryAfter: error.retryAfter)
      } catch let error as RequestError {
        return Self.response(error.status, SyncFailure(reason: error.reason))
      } catch is NIOTooManyBytesError {
        return Self.response(.contentTooLarge, SyncFailure(reason: "The body is too large."))
      } catch let error as any HTTPResponseError {
        return Self.response(error.status, SyncFailure(reason: error.status.reasonPhrase))
      } catch is CancellationError {
        return Self.response(.busy(retryAfter: 1))
      } catch {
        context.logger.error("A request failed", metadata: ["error": "\(error)"])
        return Self.response(.internalServerError, SyncFailure(reason: "The server failed."))
      }
    }

    private static func response(_ error: SyncServiceError) -> Response {
      switch error {
      case .unauthorized:
        var response = response(.unauthorized, SyncFailure(reason: "The token is nobody's."))
        response.headers[.wwwAuthenticate] = "Bearer"
        return response
      case .busy(let retryAfter):
        return response(.serviceUnavailable, "The server has no time now.", retryAfter: retryAfter ?? 1)
      case .unreachable: return self.response(.busy(retryAfter: 1))
      case .tooLarge:
        return response(.contentTooLarge, SyncFailure(reason: "There is more in it than the limits allow."))
      case .malformed(let reason), .refused(let reason): return response(.badRequest, SyncFailure(reason: reason))
      case .failed(let reason), .noToken(let reason): return response(.internalServerError, SyncFailure(reason: reason))
      }
    }

    private static func response(_ status: HTTPResponse.Status, _ reason: String, retryAfter: Double) -> Response {
      var response = response(status, SyncFailure(reason: reason))
      // Seconds, of which there are none of a part.
      response.headers[.retryAfter] = "\(Int(min(max(1, retryAfter.rounded(.up)), 3_600)))"
      return response
    }

    private static func response(_ status: HTTPResponse.Status, _ failure: SyncFailure) -> Response {
      let bytes = (try? JSONEncoder().encode(failure)) ?? Data("{}".utf8)
      return Response(SyncWire.json, ByteBuffer(bytes: bytes), status: status)
    }
  }

  extension SyncZoneError {
    fileprivate var status: HTTPResponse.Status {
      if case .unknownVersion = self { return HTTPResponse.Status(code: 426, reasonPhrase: "Upgrade Required") }
      return .conflict
    }
  }
#endif
