import SyncMerge

/// How long a device waits before it listens to the server again.
struct ListeningPauses {
  private var failures = 0

  /// A server that ends each stream at once, as one whose user has too many, is not asked every second for ever.
  private static let long = Duration.seconds(60)

  /// The next pause, in seconds.
  ///
  /// - Parameters:
  ///   - time: how long the stream was there that has ended.
  ///   - failure: why it ended; nil where the server ended it.
  /// - Returns: twice as much each time, up to 40, unless the stream was there for a minute; or what the server asked for.
  mutating func next(after time: Duration, _ failure: (any Error)?) -> Double {
    failures = time >= Self.long ? 1 : failures + 1
    var pause = SyncCore.pause(after: failures)
    if case SyncServiceError.busy(let wanted?)? = failure { pause = max(pause, wanted) }
    return pause
  }
}
