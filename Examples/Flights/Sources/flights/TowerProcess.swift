import FlightsModel
import Foundation

/// Another process of this program, which changes the database that this one shows.
enum TowerProcess {
  /// Runs it to its end. Its errors go where this process's do.
  static func run(on day: BoardDay, in database: URL, isEncrypted: Bool) async throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    process.arguments = ["--tower", day.description, "--database", database.path]
    if isEncrypted { process.arguments?.append("--encrypted") }
    process.standardInput = FileHandle.nullDevice
    let (end, ended) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
    for await _ in end {}
    // Only a task that is cancelled comes here before the end.
    try Task.checkCancellation()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal)
    }
  }

  /// The process did not come to its end.
  struct Failure: Error, CustomStringConvertible {
    let status: Int32
    let wasKilled: Bool
    var description: String {
      wasKilled
        ? "The tower's process was ended by signal \(status)."
        : "The tower's process has failed with exit code \(status); what it said is above."
    }
  }
}
