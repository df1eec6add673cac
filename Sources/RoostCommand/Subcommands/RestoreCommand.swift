import ArgumentParser
import Foundation
import RoostCore
import RoostMigration

struct RestoreCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Puts a backup in a store's place.",
    discussion: """
      End the programs that use the store first. The backup is checked before anything is written, and stays. A store \
      that is too damaged to be opened is kept beside the new one, under a name with `.damaged-`.
      """)

  @Argument(help: "The store.", completion: .file()) var file: String
  @Option(name: .customLong("from"), help: "The backup; `roost backups` lists them.", completion: .file())
  var backup: String
  @OptionGroup var encryption: KeyOptions
  @Flag(help: "Do not ask.") var yes = false

  func run(on console: Console) throws -> Verdict {
    let (store, copy) = (URL(argument: file), URL(argument: backup))
    let rows = try StoreFile.read(copy, encryption.key(of: copy)) { try $0.modelCount() }
    let isThere = FileManager.default.fileExists(atPath: store.path)
    try StoreFile.checkReplacement(of: store, encryption.key(of: store))
    if !yes {
      guard let ask = console.ask else {
        throw SwiftDataError(
          .loadIssueModelContainer, "Nothing was restored: there is nobody to ask whether to replace the store.",
          remedy: "Say --yes.", url: store)
      }
      let loss = isThere ? "What \(store.path) holds is replaced" : "\(store.path) is made"
      let answer = ask("\(loss), with the \(count(rows, "row")) of \(copy.lastPathComponent). Go on? [y/N]")
      guard ["y", "yes"].contains(answer?.lowercased()) else {
        console.print("Nothing was changed.")
        return .found
      }
    }
    try ModelContainer.restore(encryption.configuration(store), from: copy)
    console.print("\(store.path) has the \(count(rows, "row")) of \(copy.lastPathComponent).")
    return .fine
  }
}
