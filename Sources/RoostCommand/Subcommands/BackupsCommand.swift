import ArgumentParser
import Foundation
import RoostMigration

struct BackupsCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "backups", abstract: "Lists the backups of a store, the newest first.",
    discussion: "Those that migrations made, and copies that `backup` made under a name of its own choice.")

  @Argument(help: "A store, which need not be there.", completion: .file()) var file: String
  @Option(help: "Where the program has its backups, if not beside the store.", completion: .directory)
  var folder: String?

  func run(on console: Console) throws -> Verdict {
    let copies = try StoreCopy.all(of: URL(argument: file), in: folder.map(URL.init(argument:)))
    for copy in copies {
      let kind = copy.isOfMigration ? "migration" : "copy     "
      let size = String(repeating: " ", count: max(0, 12 - "\(copy.size)".count)) + "\(copy.size)"
      console.print("\(copy.date.formatted(.iso8601))  \(kind)  \(size) bytes  \(copy.url.path)")
    }
    if copies.isEmpty { console.print("There are none.") }
    return .fine
  }
}
