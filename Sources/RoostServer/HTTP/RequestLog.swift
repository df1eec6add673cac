#if Server
  import HTTPTypes
  import Hummingbird
  import Logging

  /// Tells the log of each request: what was asked for and what came of it, without names and tokens.
  struct RequestLog: RouterMiddleware {
    let logger: Logger

    func handle(
      _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
      let start = ContinuousClock.now
      let response = try await next(request, context)
      let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
      logger.info(
        "\(request.method) \(context.endpointPath ?? "unknown path")",
        metadata: [
          "status": "\(response.status.code)", "milliseconds": "\((milliseconds * 10).rounded() / 10)",
          "bytes": "\(response.body.contentLength ?? 0)",
        ])
      return response
    }
  }
#endif
