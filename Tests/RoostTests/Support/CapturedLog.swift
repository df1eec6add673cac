import Logging
import Synchronization

/// What this process logs, for tests that look for a text of their own in it. It still goes to standard error.
enum CapturedLog {
  private static let lines = Mutex<[String]>([])

  /// What is logged while `body` runs, by whomever.
  static func lines(during body: () throws -> Void) rethrows -> [String] {
    _ = isInstalled
    let before = lines.withLock { $0.count }
    try body()
    return lines.withLock { Array($0[before...]) }
  }

  private static let isInstalled: Void = LoggingSystem.bootstrap { Handler(standard: .standardError(label: $0)) }

  private struct Handler: LogHandler {
    var standard: StreamLogHandler
    var metadata: Logger.Metadata {
      get { standard.metadata }
      set { standard.metadata = newValue }
    }
    var logLevel: Logger.Level {
      get { standard.logLevel }
      set { standard.logLevel = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { standard[metadataKey: key] }
      set { standard[metadataKey: key] = newValue }
    }
    func log(event: LogEvent) {
      lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
      standard.log(event: event)
    }
  }
}
