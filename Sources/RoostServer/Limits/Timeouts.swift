#if Server
  import SyncMerge

  extension RoostServer {
    /// How long a server waits for others.
    package struct Timeouts: Sendable {
      /// For an authenticator to say whose a token is.
      package var authentication: Duration = .seconds(30)
      /// For a body to come, or to be taken, besides the time that its bytes take.
      package var body: Duration = .seconds(60)
      /// How many bytes a second of a body come, or are taken, at least.
      package var bytesPerSecond = SyncWire.leastBytesPerSecond
      /// For the next request of a connection.
      package var idle: Duration = .seconds(120)

      package init() {}

      /// How long so many bytes may take.
      func longest(_ bytes: Int) -> Duration { body + .seconds(bytes / bytesPerSecond) }
    }
  }
#endif
