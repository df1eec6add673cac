import Foundation
import GRDB

extension DatabaseQueue {
  /// A queue in WAL mode, in which GRDB sets `synchronous` to NORMAL, as the tuned connections do.
  static func open(_ file: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }
}
