import Foundation
import Roost

@main
enum MemoryBenchmark {
  static let rowCount = 1_000_000

  static func main() throws {
    let names = CommandLine.arguments.dropFirst()
    if let workload = names.first.flatMap(MemoryWorkload.init) { return try measure(workload) }
    if let kind = names.first.flatMap(RowKind.init) { return print(try kind.heapBytes()) }
    var failed = try !compareRows()
    for workload in MemoryWorkload.allCases {
      failed = try run(workload.rawValue).terminationStatus != 0 || failed
    }
    exit(failed ? 1 : 0)
  }

  /// A process for each, as what one of them has freed the next would not need to ask for.
  private static func run(_ name: String, output: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [name]
    if let output { process.standardOutput = output }
    try process.run()
    process.waitUntilExit()
    return process
  }

  /// Prints what a managed row and a plain object take, and returns whether that is within the limit.
  private static func compareRows() throws -> Bool {
    let bytes = try RowKind.allCases.map { kind in
      let output = Pipe()
      _ = try run(kind.rawValue, output: output)
      let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard let bytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw CocoaError(.fileReadUnknown)
      }
      return bytes / Double(RowKind.rowCount)
    }
    let ratio = bytes[0] / bytes[1]
    print(
      String(
        format: "a managed row: %.0f bytes, a plain object: %.0f, %.2f times as much (at most %.1f)",
        bytes[0], bytes[1], ratio, RowKind.limit))
    // Before the others print.
    fflush(nil)
    return ratio <= RowKind.limit
  }

  /// A folder that is removed afterwards.
  static func inFolder<Output>(_ work: (URL) throws -> Output) throws -> Output {
    let folder = FileManager.default.temporaryDirectory.appending(path: "roost-memory-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try work(folder)
  }

  private static func measure(_ workload: MemoryWorkload) throws {
    let isWithin = try inFolder { try measure(workload, in: $0) }
    if !isWithin { exit(1) }
  }

  /// Prints how much the process has grown, and returns whether that is within the limit.
  private static func measure(_ workload: MemoryWorkload, in folder: URL) throws -> Bool {
    let container = try ModelContainer(
      for: Measurement.self, configurations: ModelConfiguration(url: folder.appending(path: "rows.store")))
    let context = ModelContext(container)
    if workload != .insert { try context.execute(sql: fill) }
    // The highest value starts again from what the process has now.
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = try status("VmRSS")
    let time = try ContinuousClock().measure { try workload.run(context) }
    let growth = try status("VmHWM") - before
    let limit = workload.limit.map { " (at most \($0))" } ?? ""
    print("\(workload.rawValue): \(growth) MB more for \(rowCount) rows\(limit), \(time)")
    return workload.limit.map { growth <= $0 } ?? true
  }

  private static let fill: SQL = """
    WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < \(rowCount))
    INSERT INTO \(Measurement.self) (number, value, note) SELECT n, n * 7919 % 10007, 'note ' || n FROM row
    """

  /// A line of what Linux says of the process, in megabytes.
  private static func status(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return (line?.split { !$0.isNumber }.first).flatMap { Int($0) }.map { $0 / 1_000 } ?? 0
  }
}
