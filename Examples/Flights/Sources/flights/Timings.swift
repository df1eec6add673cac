import FlightsModel
import Foundation
import SQLiteShell

/// Compares our import with `.import` of the `sqlite3` command, which puts the same rows into bare tables: all values
/// as text, no keys, no indexes, no relationships.
struct Timings {
  let data: FlightsData
  let limit: Int?

  private static let rounds = 3
  private static let target = 3.0

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flights-timings-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    // In turn, so that what else the machine does meets both.
    var ours: [Duration] = []
    var theirs: [Duration] = []
    for round in 1...Self.rounds {
      ours.append(try await importWithRoost(into: folder.appending(path: "roost-\(round).store")))
      theirs.append(try importWithShell(into: folder.appending(path: "shell-\(round).db")))
      print("round \(round): Roost \(text(ours[round - 1])) s, sqlite3 .import \(text(theirs[round - 1])) s")
    }
    let ratio = median(ours) / median(theirs)
    print(
      """
      median: Roost \(text(median(ours))) s, sqlite3 .import \(text(median(theirs))) s
      Roost takes \(ratio.text(digits: 2)) × as long (target: at most \(Self.target.text(digits: 0)) ×)
      """)
    if let memory = Memory.peak { print("in at most \(memory.grouped) MB of memory") }
  }

  private func importWithRoost(into database: URL) async throws -> Duration {
    try await ContinuousClock().measure {
      let container = try FlightsStore.open(database)
      _ = try await FlightsImporter(modelContainer: container).run(data: data, limit: limit)
    }
  }

  private func importWithShell(into database: URL) throws -> Duration {
    let commands = FlightsData.Table.allCases.map { table in
      ".import \(source(of: table)) \(table.rawValue)"
    }
    return try ContinuousClock().measure {
      try SQLiteShell.run(["-batch", database.path, ".mode csv"] + commands)
    }
  }

  /// The table's file; with a limit, a command that prints its first rows.
  private func source(of table: FlightsData.Table) -> String {
    let file = data.file(table).path
    guard let limit, table == .flights || table == .weather else { return "'\(file)'" }
    return "\"|head -n \(limit + 1) '\(file)'\""
  }

  private func median(_ durations: [Duration]) -> Duration {
    durations.sorted()[durations.count / 2]
  }

  private func text(_ duration: Duration) -> String {
    (duration / .seconds(1)).text(digits: 2)
  }
}
