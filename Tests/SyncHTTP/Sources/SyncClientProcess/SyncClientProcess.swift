import Foundation
import Logging
import Roost
import RoostSync
import Stock
import TestSupport

/// A program with a synced store that edits until it is killed: `SyncClientProcess NAME FOLDER URL SEED`, or, with
/// `finish` for the seed, sends and fetches what is left. It says what it does.
@main enum SyncClientProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let server = URL(string: arguments[3]) else {
      return print("usage: SyncClientProcess NAME FOLDER URL SEED")
    }
    LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
    say("start")
    let (name, folder) = (arguments[1], URL(filePath: arguments[2]))
    var configuration = ModelConfiguration("stock", url: folder.appending(path: "\(name).store"))
    configuration.sync = .server(server, token: { "anna" })
    let container = try ModelContainer(for: Schema(stockModels), configurations: configuration)
    guard let sync = container.sync else { throw CocoaError(.featureUnsupported) }
    say("open")
    guard let seed = UInt64(arguments[4]) else {
      try await sync.now()
      let status = sync.status
      say("\(status.phase) \(status.waitingChanges) \(status.waitingRows)")
      return try container.close()
    }
    Task { for await event in sync.events { say("\(event)") } }
    let notebook = folder.appending(path: "\(name).notes")
    try edit(
      container, sync, try Notebook(notebook), Clerk(name, first: try Notebook.saves(notebook).count, seed: seed))
  }

  private static func edit(
    _ container: ModelContainer, _ sync: SyncEngine, _ notebook: Notebook, _ clerk: Clerk
  ) throws -> Never {
    var clerk = clerk
    let context = ModelContext(container)
    context.autosaveEnabled = false
    // The engine writes too: an edit of what it has just changed is made again.
    context.mergePolicy = .error
    while true {
      let work = try clerk.work(context)
      var save = Save(number: clerk.number, state: .begun, deeds: work.deeds)
      try notebook.note(save)
      do {
        try work.run()
        save.state = .done
      } catch {
        context.rollback()
        save.state = .failed
        if error as? SwiftDataError != .mergeConflict { say("failed: \(error)") }
      }
      try notebook.note(save)
      say("save")
      // Who edits again and again does not wait until the server is tried again.
      if clerk.number.isMultiple(of: 8) { sync.resume() }
    }
  }

  /// Not `print`, which may keep it for later.
  static func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text.replacing("\n", with: " "))\n".utf8))
  }
}
