import ArgumentParser
import FlightsModel
import Foundation
import SwiftData

@main
struct FlightsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flights",
    abstract: "Imports the flights that left New York City in 2013, and asks about them.")

  @Option(help: "The folder with the CSV files.", completion: .directory)
  var data = FlightsData.defaultFolder.path

  @Option(help: "Where to put the database; there must be no file yet. (default: a file that each run makes anew)")
  var database: String?

  @Option(help: "Import so many flights and rows of weather at most.")
  var limit: Int?

  @Flag(help: "Only import, and compare the time with that of the sqlite3 command for the same files.")
  var timings = false

  @Flag(help: "Encrypt the database, with a key that the system's vault keeps. Built with --traits Encrypted.")
  var encrypted = false

  // How the demo starts the second process of its last step.
  @Option(help: .hidden)
  var tower: BoardDay?

  func validate() throws {
    if tower != nil, database == nil { throw ValidationError("--tower needs the --database that it is to change.") }
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
    if timings, encrypted { throw ValidationError("The sqlite3 command, which --timings compares with, has no key.") }
    if timings, database != nil { throw ValidationError("--timings makes databases of its own; leave --database out.") }
  }

  func run() async throws {
    if let tower { return try await runTower(on: tower) }
    let data = try FlightsData(folder: URL(filePath: data, directoryHint: .isDirectory))
    if timings {
      try await Timings(data: data, limit: limit).run()
    } else {
      try await Demo(data: data, database: try newDatabase(), limit: limit, isEncrypted: encrypted).run()
    }
  }

  private func runTower(on day: BoardDay) async throws {
    guard let database, FileManager.default.fileExists(atPath: database) else {
      throw ValidationError("There is no database at \(database ?? "").")
    }
    let container = try FlightsStore.open(URL(filePath: database), isEncrypted: encrypted)
    // Slow enough to be read, and not in step with the looks for others' writes.
    try await Tower(modelContainer: container).run(on: day, pause: .milliseconds(430))
  }

  private func newDatabase() throws -> URL {
    if let database {
      guard !FileManager.default.fileExists(atPath: database) else {
        throw ValidationError("There is a file at \(database) already. Name another, or remove it.")
      }
      return URL(filePath: database)
    }
    let file = FlightsData.cache.appending(path: "flights.store")
    try FileManager.default.createDirectory(at: FlightsData.cache, withIntermediateDirectories: true)
    try removeDatabase(file)
    return file
  }
}

extension BoardDay: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// Removes a database and the files that SQLite keeps beside it.
func removeDatabase(_ file: URL) throws {
  for suffix in ["", "-wal", "-shm"] {
    let path = file.path + suffix
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
  }
}
