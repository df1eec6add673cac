import Foundation
import TestSupport
import Testing

/// Several devices with real stores, edited in all ways, and a network that loses what it carries.
@Suite struct RandomSyncTests {
  private static let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 40

  @Test func `devices end with the same rows, and nothing that a user did is lost`() throws {
    let (edits, lost, conflicts, _) = try walk(hasFaults: false)
    // It tested something.
    #expect(edits > Self.cases * 20 && lost > Self.cases && conflicts > Self.cases)
  }

  @Test func `devices end with the same rows whatever is put back, copied, or goes wrong with clocks`() throws {
    let (_, _, _, faults) = try walk(hasFaults: true)
    #expect(faults > Self.cases)
  }

  private func walk(hasFaults: Bool) throws -> (edits: Int, lost: Int, conflicts: Int, faults: Int) {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var sum = (edits: 0, lost: 0, conflicts: 0, faults: 0)
    for place in 0..<UInt64(Self.cases) {
      var walk = try SyncWalk(seed: seed &+ place)
      let failed: String?
      do {
        try walk.run(steps: 60, hasFaults: hasFaults)
        failed = try walk.finish()
      } catch { failed = "\(error)" }
      if let failed {
        Issue.record("ROOST_SEED=\(seed &+ place) ROOST_CASES=1: \(failed)")
        break
      }
      sum.edits += walk.edits
      sum.lost += walk.lost
      sum.conflicts += walk.conflicts
      sum.faults += walk.faults
    }
    return sum
  }
}
