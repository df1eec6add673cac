#if Server
  import Hummingbird

  /// Refuses what a user asks beyond the limit.
  struct LimitedRequests: RouterMiddleware {
    /// nil where there is none.
    let limiter: RequestLimiter?

    func handle(
      _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
      guard let limiter else { return try await next(request, context) }
      try limiter.begin(context.user)
      defer { limiter.end(context.user) }
      return try await next(request, context)
    }
  }
#endif
