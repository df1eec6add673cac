import Foundation

/// What came out for one variant of one workload.
struct Measurement: Codable {
  var workload: String
  var variant: String
  var median: Double
  var min: Double
  var max: Double
  var rounds: Int

  enum CodingKeys: String, CodingKey {
    case workload, variant, rounds
    case median = "median_ms"
    case min = "min_ms"
    case max = "max_ms"
  }

  init(workload: String, variant: String, times: [Duration]) {
    let sorted = times.map { ($0 / .microseconds(1)).rounded() / 1_000 }.sorted()
    let middle = sorted.count / 2
    self.workload = workload
    self.variant = variant
    median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    min = sorted[0]
    max = sorted[sorted.count - 1]
    rounds = sorted.count
  }
}

extension Workload {
  /// Measures the variants, one after the other in every round, so that what slows the machine down slows all alike.
  ///
  /// The order rotates, so that each variant follows each other one about as often. The first round warms up and does
  /// not count.
  func measure(rounds: Int, in folder: URL) throws -> [Measurement] {
    let prepared = try variants.map { variant in
      let own = folder.appending(path: "\(name)-\(variant.name)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      return try variant.prepare(own)
    }
    var times = Array(repeating: [Duration](), count: variants.count)
    for round in 0...rounds {
      for position in variants.indices {
        let index = (position + round) % variants.count
        let time = try prepared[index]()
        if round > 0 { times[index].append(time) }
      }
      Progress.show("\(name): round \(round) of \(rounds)")
    }
    Progress.clear()
    return zip(variants, times).map { Measurement(workload: name, variant: $0.name, times: $1) }
  }
}
