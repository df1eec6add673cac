import Foundation

/// SplitMix64: the same numbers for the same seed, on every platform.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// `ROOST_SEED` of the environment, or a new seed each time.
  package static var seed: UInt64 {
    ProcessInfo.processInfo.environment["ROOST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...(.max))
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True once in `times`.
  package mutating func once(in times: Int) -> Bool { below(times) == 0 }

  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
