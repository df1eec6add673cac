import Foundation
import TestSupport
import Testing

/// Several devices with real stores, edited in all ways, and a network that loses what it carries.
@Suite struct RandomSyncTests {
  private static let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 40

  @Test func `devices end with the same rows, and nothing that a user did is lost`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var (edits, lost, conflicts) = (0, 0, 0)
    for place in 0..<UInt64(Self.cases) {
      var walk = try SyncWalk(seed: seed &+ place)
      let failed: String?
      do {
        try walk.run(steps: 60)
        failed = try walk.finish()
      } catch { failed = "\(error)" }
      if let failed {
        Issue.record("ROOST_SEED=\(seed &+ place) ROOST_CASES=1: \(failed)")
        return
      }
      edits += walk.edits
      lost += walk.lost
      conflicts += walk.conflicts
    }
    // It tested something.
    #expect(edits > Self.cases * 20 && lost > Self.cases && conflicts > Self.cases)
  }
}
