import Foundation
import TestSupport
import Testing

/// Devices with many rows and a server, on a wire that loses, repeats and delays what it carries both ways.
@Suite struct RandomZoneTests {
  private static let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 300

  @Test func `devices agree on all rows, and no addition is lost or counts twice`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var (rows, conflicts, late) = (0, 0, 0)
    for place in 0..<UInt64(Self.cases) {
      var schedule = ZoneSchedule(MemoryZone.counters, seed: seed &+ place)
      try schedule.run()
      if let problem = try schedule.problem {
        Issue.record("ROOST_SEED=\(seed &+ place) ROOST_CASES=1: \(problem)")
        return
      }
      rows += try schedule.rows
      conflicts += schedule.conflicts
      late += schedule.late
    }
    // It tested something.
    #expect(rows > Self.cases * 2 && conflicts > Self.cases && late > Self.cases)
  }
}
