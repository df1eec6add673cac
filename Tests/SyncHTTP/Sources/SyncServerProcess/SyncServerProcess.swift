import Foundation
import Logging
@testable import RoostServer
@testable import SyncMerge

/// A server that is to be killed: `SyncServerProcess FOLDER PORT`. It says on which port it
/// listens, and then each request.
@main enum SyncServerProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let port = Int(arguments[2]) else {
      return print("usage: SyncServerProcess FOLDER PORT")
    }
    // Small pushes and pages, so that many are under way.
    let server = try RoostServer(
      data: URL(filePath: arguments[1]), authenticator: DevelopmentTokens(), isDevelopment: true,
      logger: Logger(label: "server") { _ in Lines() }, limits: SyncLimits(edits: 7, rows: 9))
    try await server.run(port: port) { Lines.say("port \($0)") }
  }
}

/// A log whose lines are out when they are said.
private struct Lines: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    Self.say("\(event.message) \(event.metadata?["status"].map { "\($0)" } ?? "")")
  }

  /// Not `print`, which may keep it for later.
  static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}
