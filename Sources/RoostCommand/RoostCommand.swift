package import ArgumentParser
import Foundation
import RoostCore
import RoostEngine

/// The command that looks after stores, without the programs that they belong to.
package struct RoostCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "roost",
    abstract: "Looks after Roost's stores: their schemas, migrations and backups.",
    discussion: """
      Needs no program with the models: a store knows its own schema. No store is changed but by `restore`.

      Exit codes: 0 when all is well, 1 when something was found (a difference, an obstacle, damage), 2 for errors.
      """,
    subcommands: [
      SchemaCommand.self, DiffCommand.self, CheckCommand.self, VerifyCommand.self, BackupCommand.self,
      BackupsCommand.self, RestoreCommand.self, ServeCommand.self,
    ])

  package init() {}

  package static func main() { Foundation.exit(run(Array(CommandLine.arguments.dropFirst()), on: .terminal)) }

  /// Does what the arguments say.
  ///
  /// - Returns: the exit code.
  static func run(_ arguments: [String], on console: Console) -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      if let command = command as? any Subcommand { return try command.run(on: console).rawValue }
      try command.run()
      return 0
    } catch let error as SwiftDataError {
      console.complain("roost: \(text(of: error))")
    } catch {
      let text = fullMessage(for: error)
      if exitCode(for: error) == .success {
        console.print(text)
        return 0
      }
      console.complain(exitCode(for: error) == .validationFailure ? text : "roost: \(error)")
    }
    return 2
  }

  /// What is wrong, with which file, and what to do: a line each.
  private static func text(of error: SwiftDataError) -> String {
    var lines = [error.message]
    if let url = error.url { lines.append("  File: \(url.path)") }
    if let cause = error.underlying, !isTold(cause, in: error.message) { lines.append("  Cause: \(cause)") }
    if let remedy = error.remedy { lines.append("  \(remedy)") }
    return lines.joined(separator: "\n")
  }

  private static func isTold(_ cause: any Error, in message: String) -> Bool {
    message.contains((cause as? DatabaseError)?.message ?? "\(cause)")
  }
}
