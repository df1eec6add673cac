import ArgumentParser
import Foundation
import RoostCore
import RoostMigration

struct CheckCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says what a program with a schema does with a store when it opens it.",
    discussion: """
      Exit code 0 when it opens the store as it is or migrates it by itself, 1 when it refuses. The store is not changed.

      A program writes its schema with `try Schema([Note.self, …]).save(to: url)`.

      What is not looked at: a migration plan's stages, which say for themselves what becomes of rows; whether there is \
      room for the migration and its backup; and whether triggers and views of other programs fit the new tables.
      """)

  @Argument(help: "A store.", completion: .file()) var file: String
  @Option(help: "The program's schema as JSON, or another store that has it.", completion: .file())
  var against: String
  @OptionGroup var encryption: KeyOptions
  @Option(help: "What the program's mayDrop names, such as Note.subtitle. May be given several times.")
  var mayDrop: [String] = []
  @Flag(help: "The program has storeOptions.migration.drops = .refuse.") var refuseDrops = false

  func run(on console: Console) throws -> Verdict {
    let (url, against) = (URL(argument: file), URL(argument: against))
    let schema = try DescribedSchema(reading: against, key: encryption.key(of: against))
    let (result, waiting) = try StoreFile.read(url, encryption.key(of: url)) { file in
      (
        try file.check(against: schema, .init(mayDrop: Set(mayDrop), drops: refuseDrops ? .refuse : .allow)),
        try file.pendingBackfills()
      )
    }
    for name in waiting {
      console.print("Rows wait for \(name): only a program whose migration plan has that backfill opens the store.")
    }
    switch result {
    case .current(let lines):
      console.print("A program with this schema opens the store as it is.")
      for line in lines { console.print("  \(line)") }
      return .fine
    case .migrates(let differences, let lines, let drops):
      console.print("A program with this schema migrates the store by itself. What is different:")
      for line in differences { console.print("  \(line)") }
      console.print(
        "What the migration does\(lines.isEmpty ? ": only the store's description of itself changes" : ":")")
      for line in lines { console.print("  \(line)") }
      if !drops.isEmpty { console.print("What is dropped, and only in the backup then, which is kept:") }
      for drop in drops { console.print("  \(drop)") }
      if schema.defaults == nil {
        console.print(
          "The schema does not have the values of defaults: a table that gets a constant one may be altered in place.")
      }
      return .fine
    case .refused(let differences, let obstacles, let isOlder):
      if isOlder { console.print("The store had this schema before a newer program changed it.") }
      console.print("A program with this schema does not open the store. What is different:")
      for line in differences { console.print("  \(line)") }
      console.print("What is in the way:")
      for obstacle in obstacles { console.print("  " + "\(obstacle)".replacing("\n", with: "\n  ")) }
      return .found
    }
  }
}
