import Foundation
import TestSupport
import Testing

@testable import RoostPreferences

struct RandomPreferencesTests {
  private static let names = ["a", "b", "c"]

  /// What one process should have: the file as it last saw it, and what it has set since.
  private struct Expected {
    var seen: [String: Int] = [:]
    var pending: [String: Int?] = [:]
    var shown: [String: Int] {
      seen.merging(pending.compactMapValues { $0 }) { $1 }.filter { pending[$0.key] != .some(nil) }
    }

    mutating func set(_ name: String, _ value: Int?) { pending.updateValue(value, forKey: name) }
  }

  @Test func `processes that write and look in any order see what was written last`() throws {
    let seed = SeededRandom.seed
    print("random preferences: seed \(seed)")
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let folder = try TemporaryFolder()
      let processes = (0..<3).map { _ in Preferences(SpyStorage(folder.file), delay: .seconds(3_600)) }
      var expected = [Expected](repeating: Expected(), count: 3)
      var file: [String: Int] = [:]
      for _ in 0..<40 {
        let index = random.below(3)
        let key = Preferences.Key(random.pick(Self.names), default: -1)
        switch random.below(6) {
        case 0...2:
          let value = random.below(3)
          processes[index][key] = value
          expected[index].set(key.name, value)
        case 3:
          processes[index].reset(key)
          expected[index].set(key.name, nil)
        case 4:
          try processes[index].flush()
          if expected[index].pending.isEmpty { break }
          for (name, value) in expected[index].pending { file[name] = value }
          expected[index] = Expected(seen: file)
        default:
          processes[index].reload()
          expected[index].seen = file
        }
        for (process, expected) in zip(processes, expected) {
          for name in Self.names {
            let value = process[Preferences.Key(name, default: -1)]
            #expect(value == expected.shown[name] ?? -1, "seed \(seed)")
          }
        }
      }
    }
  }
}
