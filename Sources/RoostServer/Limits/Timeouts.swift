#if Server
  extension RoostServer {
    /// How long a server waits for others.
    package struct Timeouts: Sendable {
      /// For an authenticator to say whose a token is.
      package var authentication: Duration = .seconds(30)

      package init() {}
    }
  }
#endif
