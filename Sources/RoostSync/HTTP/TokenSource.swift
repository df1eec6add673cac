#if Sync
  import Synchronization

  /// Asks the program for a token, once for all requests that want one meanwhile: people may have to sign in, and some tokens can be
  /// renewed once only.
  final class TokenSource: Sendable {
    private let closure: @Sendable () async throws -> String
    /// The closure's run, until it ends.
    private let asked = Mutex<Task<String, any Error>?>(nil)

    init(_ closure: @escaping @Sendable () async throws -> String) { self.closure = closure }

    deinit { asked.withLock { $0 }?.cancel() }

    /// The token, once the closure gives one.
    ///
    /// - Throws: what the closure throws.
    func token() async throws -> String {
      let task = asked.withLock { asked in
        if let asked { return asked }
        let new = Task { [weak self, closure] in
          defer { self?.asked.withLock { $0 = nil } }
          return try await closure()
        }
        asked = new
        return new
      }
      return try await task.value
    }
  }
#endif
