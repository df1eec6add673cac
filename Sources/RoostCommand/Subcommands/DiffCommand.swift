import ArgumentParser
import Foundation
import RoostCore
import RoostMigration

struct DiffCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Prints how two schemas differ, a line a difference.",
    discussion: """
      Only what stores of the two have otherwise is a difference: not the order of properties, for example, nor the \
      values of defaults. Exit code 0 when there is none, 1 when there is one.
      """)

  @Argument(help: "A store, or a schema as JSON.", completion: .file()) var old: String
  @Argument(help: "Another one.", completion: .file()) var new: String
  @OptionGroup var encryption: KeyOptions

  func run(on console: Console) throws -> Verdict {
    let (old, new) = (try schema(old), try schema(new))
    let lines = new.definition.changes(from: old.definition)
    for line in lines { console.print(line) }
    return lines.isEmpty ? .fine : .found
  }

  private func schema(_ file: String) throws -> DescribedSchema {
    let url = URL(argument: file)
    return try DescribedSchema(reading: url, key: encryption.key(of: url))
  }
}
