#if Server
  import Hummingbird
  import HummingbirdCore

  /// Refuses what a user asks beyond the limit.
  struct LimitedRequests: RouterMiddleware {
    /// nil where there is none.
    let limiter: RequestLimiter?

    func handle(
      _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
      guard let limiter else { return try await next(request, context) }
      try limiter.begin(context.user)
      let turn = Turn(limiter, context.user)
      var response = try await next(request, context)
      // What tells of changes has no length, and does not count.
      if response.body.contentLength != nil { response.body = response.body.during(turn) }
      return response
    }
  }

  /// A user's request that is under way, until this goes: its answer may never be written.
  private final class Turn: Sendable {
    private let limiter: RequestLimiter
    private let user: String

    init(_ limiter: RequestLimiter, _ user: String) { (self.limiter, self.user) = (limiter, user) }

    deinit { limiter.end(user) }
  }

  extension ResponseBody {
    /// The same, with which a request is under way until it is written or given up.
    fileprivate func during(_ turn: Turn) -> ResponseBody {
      ResponseBody(contentLength: contentLength) { writer in
        defer { withExtendedLifetime(turn) {} }
        try await self.write(writer)
      }
    }
  }
#endif
