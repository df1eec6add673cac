import FlightsModel
import Foundation
import SwiftData

/// Imports the data into a new database, asks all questions, makes the changes, then shows those
/// that another process makes.
struct Demo {
  let data: FlightsData
  let database: URL
  let limit: Int?
  let isEncrypted: Bool

  func run() async throws {
    let container = try FlightsStore.open(database, isEncrypted: isEncrypted)
    try await importData(into: container)
    let answers = Answer.questions + Answer.figures + Answer.changes
    for (index, answer) in answers.enumerated() { try show(answer, number: index + 1, in: container) }
    try await showBoard(number: answers.count + 1, in: container)
    if isEncrypted { return try showThatNothingIsPlain(container) }
    print(
      """

      The database is an ordinary file. Look into it with:
        sqlite3 \(database.path) 'SELECT name FROM Airline'
      """)
  }

  /// Looks for a name that a plain file would have.
  private func showThatNothingIsPlain(_ container: ModelContainer) throws {
    let airline = try ModelContext(container).fetch(FetchDescriptor<Airline>()).first?.name ?? ""
    for suffix in ["", "-wal"] {
      let bytes = (try? Data(contentsOf: URL(filePath: database.path + suffix))) ?? Data()
      let isThere = bytes.range(of: Data(airline.utf8)) != nil
      print(
        "\n\(database.lastPathComponent)\(suffix): \(bytes.count.grouped) bytes, \"\(airline)\" is \(isThere ? "" : "not ")in it"
      )
    }
  }

  private func importData(into container: ModelContainer) async throws {
    print("Importing \(data.folder.path)")
    let bar = ProgressBar()
    // An actor of its own, so that the import takes its time beside whatever else the program does.
    let importer = FlightsImporter(modelContainer: container)
    let report = try await importer.run(data: data, limit: limit) { bar.show($0) }
    bar.clear()
    print(report)
    if let memory = Memory.peak { print("in at most \(memory.grouped) MB of memory") }
  }

  private func show(_ answer: Answer, number: Int, in container: ModelContainer) throws {
    print("\n\(number). \(answer.question)\n")
    for line in answer.source { print(line.isEmpty ? "" : "   │ \(line)") }
    print()
    // Each answer has a new context, so that none is found in memory that another one has filled.
    let context = ModelContext(container)
    let start = ContinuousClock.now
    let table = try answer.run(in: context)
    let milliseconds = start.duration(to: .now) / .milliseconds(1)
    for line in table.lines { print("   \(line)") }
    print("   (\(milliseconds.text(digits: 1)) ms)")
    for line in table.planLines { print("   \(line)") }
  }
}
