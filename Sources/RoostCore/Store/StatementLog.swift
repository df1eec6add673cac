package import Logging
package import RoostEngine

/// What is told of the statements that a store runs: to the log, and to a test's recorder.
package struct StatementLog: Sendable {
  private let logger: Logger
  private let logsAll: Bool
  private let slow: Duration?
  private let recorder: StatementRecorder?

  package init(_ logger: Logger, _ options: ModelConfiguration.StoreOptions) {
    self.logger = logger
    logsAll = logger.logLevel <= .trace
    slow = options.slowQueryThreshold
    recorder = options.recorder
  }

  /// What connections call; nil when nobody wants to know, so that SQLite does not either.
  package var trace: (@Sendable (TraceEvent) -> Void)? {
    guard logsAll || slow != nil || recorder != nil else { return nil }
    return { event in
      switch event {
      case .began(let sql): recorder?.began?(sql)
      case .ended(let sql, let time): ended(sql, time)
      }
    }
  }

  private func ended(_ sql: String, _ time: Duration) {
    recorder?.record(sql)
    if let slow, time >= slow {
      logger.warning("Slow query", metadata: ["sql": "\(sql)", "time": "\(time)"])
    } else if logsAll {
      logger.trace("Statement", metadata: ["sql": "\(sql)", "time": "\(time)"])
    }
  }
}
