import Foundation

/// Runs the `sqlite3` command, so that something else than SwiftData looks at the same file.
public enum SQLiteShell {
  /// The rows that an SQL query finds in a database, each value as text; NULL is the empty text.
  public static func rows(of sql: String, in database: URL) throws -> [[String]] {
    // Unit and record separators appear in no text of ours, unlike `|` and line ends.
    let output = try run(["-batch", "-readonly", "-ascii", database.path, sql])
    return output.split(separator: "\u{1E}").map { row in
      row.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Runs `sqlite3` with these arguments and returns what it prints.
  @discardableResult
  public static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3"] + arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let complaint = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0, complaint.isEmpty else { throw Failure(message: complaint) }
    return text
  }

  /// What `sqlite3` said, or `env` when there is no such command.
  public struct Failure: Error, CustomStringConvertible {
    public var message: String
    public var description: String { "sqlite3: \(message)" }
  }
}
