#if Sync
  import SyncMerge
  import Synchronization

  /// Asks the program for a token, once for all requests that want one meanwhile: people may have to sign in, and some
  /// tokens can be renewed once only.
  final class TokenSource: Sendable {
    private let closure: @Sendable () async throws -> String
    private struct Run {
      let task: Task<String, any Error>
      let number: Int
      let start = ContinuousClock.now
    }

    /// The closure's run, until it ends, and how many there were.
    private let runs = Mutex<(last: Run?, count: Int)>((nil, 0))
    /// After how long a run is given up: whoever was to sign in has gone without a word.
    private let longest: Duration

    init(longest: Duration = .seconds(600), _ closure: @escaping @Sendable () async throws -> String) {
      (self.longest, self.closure) = (longest, closure)
    }

    deinit { forget() }

    /// Gives up the run, unless it began a shorter time ago, and asks again for whoever waits for it.
    func forget(olderThan time: Duration = .zero) {
      let run = runs.withLock { runs -> Run? in
        guard let run = runs.last, ContinuousClock.now - run.start >= time else { return nil }
        runs.last = nil
        return run
      }
      run?.task.cancel()
    }

    /// The token, once the closure gives one.
    ///
    /// - Throws: what the closure throws; ``TimeIsOver`` where it takes too long.
    func token() async throws -> String {
      while true {
        let task = currentTask()
        do {
          return try await task.value
        } catch is CancellationError where task.isCancelled && !Task.isCancelled {
          // It was given up, and there is another one.
          continue
        }
      }
    }

    /// The task of the run, which begins where there is none.
    private func currentTask() -> Task<String, any Error> {
      runs.withLock { runs in
        if let run = runs.last { return run.task }
        runs.count += 1
        let number = runs.count
        // Whoever waits for it waits no longer once it is cancelled, though the closure may not care.
        let task = Task { [weak self, closure, longest] in
          defer { self?.end(number) }
          return try await within(longest) { try await closure() }
        }
        runs.last = Run(task: task, number: number)
        return task
      }
    }

    private func end(_ number: Int) {
      runs.withLock { if $0.last?.number == number { $0.last = nil } }
    }
  }
#endif
