import ArgumentParser
import Foundation
import RoostMigration

struct BackupCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copies a store, also while programs use it.",
    discussion: """
      The copy is checked, and has the files of values beside it. It is a store of its own. Its name is not that of a \
      migration's backup, which the program removes when it does not need it any more.
      """)

  @Argument(help: "A store.", completion: .file()) var file: String
  @Option(
    help: "The copy's file, which must not be there. Unless given, one beside the store with the time in its name.",
    completion: .file())
  var to: String?
  @OptionGroup var encryption: KeyOptions

  func run(on console: Console) throws -> Verdict {
    let store = URL(argument: file)
    let url = to.map(URL.init(argument:)) ?? StoreCopy.defaultURL(for: store)
    try StoreCopy.make(of: store, at: url, encryption.key(of: store))
    console.print(url.path)
    return .fine
  }
}
