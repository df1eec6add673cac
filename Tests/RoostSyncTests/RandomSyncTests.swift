import Foundation
import SyncSimulation
import TestSupport
import Testing

/// Several devices with real stores, edited in all ways, and a network that loses what it carries.
@Suite struct RandomSyncTests {
  private static let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 20

  @Test func `devices end with the same rows, and nothing that a user did is lost`() {
    let counts = run(.outside)
    // It tested something, unless one schedule is run again.
    if Self.cases < 20 { return }
    #expect(counts.edits > Self.cases * 20 && counts.lost > Self.cases && counts.conflicts > Self.cases / 2)
    #expect(counts.kills > Self.cases / 2 && counts.fullDisks > 0 && counts.upgrades > 0)
  }

  @Test func `devices end with the same rows whatever is put back, copied, moved, or goes wrong with clocks`() {
    let counts = run(.data)
    #expect(Self.cases < 20 || counts.faults > Self.cases)
  }

  private func run(_ faults: Simulation.Faults) -> Simulation.Counts {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var counts = Simulation.Counts()
    for place in 0..<UInt64(Self.cases) {
      let (more, problem) = Simulation.run(seed: seed &+ place, schedule: seed &+ place, faults: faults)
      if let problem {
        Issue.record("ROOST_SEED=\(seed &+ place) ROOST_CASES=1: \(problem)")
        break
      }
      counts += more
    }
    return counts
  }
}
