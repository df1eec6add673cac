#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import Logging
  import SyncMerge
  import SyncServer

  /// Finds out whose a request is.
  struct Authentication: RouterMiddleware {
    let authenticator: any SyncAuthenticator
    /// How long that may take.
    let timeout: Duration

    func handle(
      _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
      guard let token = Self.token(request.headers[.authorization]) else { throw SyncServiceError.unauthorized }
      let user: String?
      do {
        user = try await within(timeout) { [authenticator] in try await authenticator.user(for: token) }
      } catch is TimeIsOver {
        context.logger.error("The authenticator took too long")
        throw SyncServiceError.busy(retryAfter: 5)
      } catch {
        context.logger.error(
          "The authenticator has thrown, so that devices come again later; for a token that is not valid it is to return nil",
          metadata: ["error": "\(error)"])
        throw SyncServiceError.busy(retryAfter: 5)
      }
      guard let user else { throw SyncServiceError.unauthorized }
      if !SyncServer.nameSizes.contains(user.utf8.count) {
        context.logger.error("The authenticator gave a user no name, or one of more than 200 bytes")
        throw SyncServiceError.unauthorized
      }
      var context = context
      context.user = user
      return try await next(request, context)
    }

    /// What is behind `Bearer`.
    private static func token(_ field: String?) -> String? {
      guard let parts = field?.split(separator: " ", maxSplits: 1), parts.count == 2,
        parts[0].lowercased() == "bearer"
      else { return nil }
      return parts[1].trimmingCharacters(in: .whitespaces)
    }
  }
#endif
