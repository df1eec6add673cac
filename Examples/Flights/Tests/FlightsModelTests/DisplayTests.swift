import FlightsModel
import Synchronization
import Testing

@Suite struct DisplayTests {
  @Test func progressIsOneLine() {
    let half = ImportProgress(file: "flights.csv", rows: 161_000, fraction: 0.5, elapsed: .seconds(2))
    #expect(half.line(barWidth: 5) == "flights.csv  ██▌   50 % · 161,000 rows · 80,500 rows/s · 2 s left")
    let start = ImportProgress(file: "planes.csv", rows: 0, fraction: 0, elapsed: .zero)
    #expect(start.line(barWidth: 3) == "planes.csv       0 % · 0 rows · 0 rows/s")
    let end = ImportProgress(file: "flights.csv", rows: 10, fraction: 1, elapsed: .seconds(1))
    #expect(end.line(barWidth: 2) == "flights.csv  ██ 100 % · 10 rows · 10 rows/s · 0 s left")
  }

  @Test func progressGoesFromNothingToAll() async throws {
    let steps = Mutex<[ImportProgress]>([])
    try await withDatabase(.fixture, onProgress: { step in steps.withLock { $0.append(step) } }) { _, report in
      let steps = steps.withLock { $0 }
      #expect(steps.map(\.fraction) == steps.map(\.fraction).sorted())
      #expect(steps.last?.fraction == 1)
      #expect(steps.last?.rows == report.rows)
    }
  }
}
