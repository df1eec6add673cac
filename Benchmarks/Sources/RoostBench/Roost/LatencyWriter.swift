import Foundation
import Roost

/// The other process, which commits.
enum LatencyWriter {
  /// The option that makes this program the other process.
  static let option = "--latency-writer"

  /// What the other process does: commits, each after a pause of its own length, and prints when each commit began.
  ///
  /// The clock is the machine's, which both processes read.
  static func write(to file: URL) throws {
    let context = ModelContext(
      try ModelContainer(for: Beacon.self, configurations: ModelConfiguration(url: file)))
    let name = LatencyReport.name(0)
    guard let beacon = try context.fetch(FetchDescriptor<Beacon>(predicate: #Predicate { $0.name == name })).first
    else { throw BenchmarkError("latency: nothing to change in \(file.path)") }
    var random = SplitMix64(seed: 1)
    for _ in 0..<LatencyReport.commitCount {
      // Longer ones than the observers' interval are among them, and shorter ones.
      Thread.sleep(forTimeInterval: .random(in: 0...0.4, using: &random))
      let time = ProcessInfo.processInfo.systemUptime
      beacon.count += 1
      try context.save()
      print(time)
    }
  }

  /// Runs the other process to its end, and returns when each of its commits began.
  static func runProcess(on file: URL) async throws -> [TimeInterval] {
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    process.arguments = [option, file.path]
    // A hundred lines, for which there is room until they are read.
    let output = Pipe()
    process.standardOutput = output
    let (end, ended) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
    for await _ in end {}
    guard !process.isRunning, process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw BenchmarkError("latency: the process that commits has failed")
    }
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let times = text.split(separator: "\n").compactMap { TimeInterval($0) }
    guard times.count == LatencyReport.commitCount else {
      throw BenchmarkError("latency: \(times.count) times of \(LatencyReport.commitCount) commits")
    }
    return times
  }
}
