import Foundation
import Logging
import Synchronization

/// What Roost says in the log about the stores of tests.
enum CapturedLog {
  struct Line: Sendable {
    let level: String
    let message: String
    let metadata: [String: String]
  }

  private static let captured = Mutex<[Line]>([])
  private static let isSetUp: Bool = {
    LoggingSystem.bootstrap { Handler(other: StreamLogHandler.standardError(label: $0)) }
    return true
  }()

  /// Has what containers log from now on captured.
  static func begin() { _ = isSetUp }

  /// What is logged while `body` runs, by whomever: for tests that look for a text of their own in it.
  static func lines(during body: () throws -> Void) rethrows -> [String] {
    begin()
    let before = captured.withLock { $0.count }
    try body()
    return captured.withLock { $0[before...].map { "\($0.message) \($0.metadata)" } }
  }

  /// The lines about a store, the oldest first.
  static func lines(about store: URL) -> [Line] {
    captured.withLock { lines in lines.filter { $0.metadata["store"] == store.path } }
  }

  /// Keeps lines, and hands them on.
  private struct Handler: LogHandler {
    var other: StreamLogHandler

    var metadata: Logger.Metadata {
      get { other.metadata }
      set { other.metadata = newValue }
    }

    var logLevel: Logger.Level {
      get { other.logLevel }
      set { other.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { other[metadataKey: key] }
      set { other[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
      captured.withLock { $0.append(Line(level: "\(event.level)", message: "\(event.message)", metadata: metadata)) }
      other.log(event: event)
    }
  }
}
