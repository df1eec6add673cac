import SyncMerge

/// How long a device waits before it listens to the server again.
struct ListeningPauses {
  private var failures = 0

  /// A server that ends each stream at once, as one whose user has too many, is not asked every second for ever. A
  /// proxy ends some after half a minute.
  private static let long = Duration.seconds(20)

  /// After how many seconds a device sees whether the server is reached whose stream broke off.
  private static let shortest = 1.0

  /// The next pauses, in seconds, after each of which the device looks what there is, and after the last listens too.
  ///
  /// - Parameters:
  ///   - time: how long the stream was there that has ended.
  ///   - failure: why there was none; nil where there was one.
  /// - Returns: twice as much each time, up to 40, unless the stream was there for 20 seconds; or what the server
  ///   asked for. Where the stream broke off, or the server was not reached, a part of it comes first, so that the
  ///   store is not taken for up to date.
  mutating func next(after time: Duration, _ failure: (any Error)?) -> [Double] {
    failures = time >= Self.long ? 1 : failures + 1
    var pause = SyncCore.pause(after: failures)
    switch failure {
    case SyncServiceError.busy(let wanted?)?: pause = max(pause, wanted)
    case nil, SyncServiceError.unreachable?:
      if pause > Self.shortest { return [Self.shortest, pause - Self.shortest] }
    default: break
    }
    return [pause]
  }
}
