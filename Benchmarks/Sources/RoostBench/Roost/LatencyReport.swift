import Foundation
import Roost

/// How long after another process's commit those know of it who observe the same file.
enum LatencyReport {
  static let commitCount = 100
  /// Those that a `ResultsObserver` has; one of them changes.
  private static let rowCount = 1_000
  private static let goal = 250.0

  static func name(_ number: Int) -> String { "beacon \(1_000 + number)" }

  @available(macOS 26, *)
  @MainActor static func table(in folder: URL) async throws -> String {
    let file = folder.appending(path: "latency.store")
    let container = try ModelContainer(for: Beacon.self, configurations: ModelConfiguration(url: file))
    let context = ModelContext(container)
    for number in 0..<rowCount { context.insert(Beacon(name: name(number), count: 0)) }
    try context.save()
    Progress.show("latency: \(commitCount) commits of another process")
    let times = try await LatencyWatch(container).times { try await LatencyWriter.runProcess(on: file) }
    Progress.clear()
    return text(times)
  }

  private static func text(_ times: [(name: String, milliseconds: [Double])]) -> String {
    let lines = times.map { name, milliseconds in
      let sorted = milliseconds.sorted()
      let median = (sorted[commitCount / 2 - 1] + sorted[commitCount / 2]) / 2
      return name.padding(toLength: 24, withPad: " ", startingAt: 0)
        + String(format: "%9.1f %12.1f %12.1f", median, sorted[commitCount - 2], sorted[commitCount - 1])
    }
    let header = "known after            median, ms  99th of 100  longest, ms"
    return ([header] + lines + [String(format: "goal: within %.0f ms", goal)]).joined(separator: "\n")
  }
}
