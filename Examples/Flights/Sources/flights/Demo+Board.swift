import FlightsModel
import SwiftData

extension Demo {
  /// Shows a day's departures while another process delays some.
  func showBoard(number: Int, in container: ModelContainer) async throws {
    print("\n\(number). A live board: another process delays flights from Newark, and this one is told.\n")
    for line in LiveBoard.source.lines { print(line.isEmpty ? "" : "   │ \(line)") }
    let (day, database) = (BoardDay.demo, database)
    let board = await LiveBoard(of: day, in: container)
    print("\n   Departures of \(day): \(try await board.departures().count.grouped)")
    var count = 0
    for try await change in await board.changes(while: {
      try await TowerProcess.run(on: day, in: database, isEncrypted: isEncrypted)
    }) {
      print("   \(change.line)")
      count += 1
    }
    print("   Changes: \(count)")
  }
}
