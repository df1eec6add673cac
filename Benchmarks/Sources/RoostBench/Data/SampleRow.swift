import Foundation

/// What every variant stores: the same rows on every machine and in every run.
struct SampleRow: Sendable {
  var id: Int64
  var title: String
  var body: String
  var date: Date
}

extension SampleRow {
  /// The first `count` rows, with identifiers from 1.
  ///
  /// The strings are longer than the 15 bytes that Swift keeps without an allocation, as real text is, and plain ASCII.
  static func make(_ count: Int) -> [SampleRow] {
    var random = SplitMix64(seed: 42)
    let words = ["swift", "martin", "swallow", "nest", "roost", "feather", "dusk", "flight", "tower", "gable"]
    return (1...Int64(count)).map { id in
      var body = ""
      while body.utf8.count < 72 {
        body += body.isEmpty ? "" : " "
        body += words[Int(random.next() % UInt64(words.count))]
      }
      let digits = String(id)
      let title = "Sighting " + String(repeating: "0", count: 7 - digits.count) + digits + " of the year"
      // Milliseconds over thirty years.
      let date = Date(timeIntervalSinceReferenceDate: Double(random.next() % 946_080_000_000) / 1_000)
      return SampleRow(id: id, title: title, body: body, date: date)
    }
  }

  /// Which rows the lookups look for: half of them, each once, in an order that no cache foresees.
  static func shuffledIndices(of rowCount: Int, taking count: Int) -> ArraySlice<Int> {
    var random = SplitMix64(seed: 7)
    return Array(0..<rowCount).shuffled(using: &random).prefix(count)
  }
}

/// A small generator with a seed, which the standard library has none of.
///
/// Source: [SplitMix64](https://prng.di.unimi.it/splitmix64.c).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
