import ArgumentParser
import Foundation
import RoostMigration

struct VerifyCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Looks for damage in a store, and whether it is as its schema says.",
    discussion: """
      Reads the whole file (PRAGMA integrity_check, foreign_key_check), and compares tables, columns, indexes, values \
      and the files of values with the schema that the store has. Nothing is changed.

      Exit code 1 when there is a problem; remarks do not count.
      """)

  @Argument(help: "A store.", completion: .file()) var file: String
  @OptionGroup var encryption: KeyOptions

  func run(on console: Console) throws -> Verdict {
    let url = URL(argument: file)
    let verification = try StoreFile.read(url, encryption.key(of: url)) { try $0.verify() }
    for line in verification.problems { console.print("problem: \(line)") }
    for line in verification.remarks { console.print("remark: \(line)") }
    guard !verification.problems.isEmpty else {
      console.print("\(url.lastPathComponent) is sound.")
      return .fine
    }
    console.print(
      """
      \(count(verification.problems.count, "problem")). `roost backups \(file)` lists the backups, \
      `roost restore \(file) --from BACKUP` puts one in the store's place.
      """)
    return .found
  }
}
