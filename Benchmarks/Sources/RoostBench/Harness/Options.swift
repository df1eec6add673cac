import Foundation

/// What the command line asks for.
struct Options {
  var rounds = 15
  /// The figures of `--growth`, `--threads` or `--latency` in place of the workloads.
  var report: SeparateReport?
  var workloads: [String] = []
  var variants: [String] = []
  var folder = FileManager.default.temporaryDirectory
  var output = Self.repository.appending(path: ".build/bench.json")

  static let usage = """
    roost-bench [--rounds N] [--workload NAME]... [--variant NAME]... [--history off]
                [--folder PATH] [--output FILE]
    roost-bench --growth | --threads | --latency [--folder PATH]

      --rounds    how often each variant is measured, 7 at least (15)
      --workload  measure this workload alone; may be repeated
      --variant   measure this variant alone; may be repeated
      --history   off: without what Roost records of all changes, which C and GRDB do not
      --growth    how much longer work takes with 1,000,000 rows than with 10,000
      --threads   rows a second that a writer and three readers get through beside each other
      --latency   how long after another process's commit observers know of it
      --folder    where the databases are made and removed (the system's temporary folder)
      --output    the JSON file (.build/bench.json in the repository)
    """

  /// Whether Roost's stores record their history. Read by itself, as workloads make their stores wherever they run.
  static let recordsHistory: Bool = {
    guard let place = CommandLine.arguments.firstIndex(of: "--history") else { return true }
    return CommandLine.arguments[place...].dropFirst().first != "off"
  }()

  /// The folder that `Benchmarks` is in.
  private static var repository: URL {
    (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  }

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if let chosen = SeparateReport(rawValue: option) {
        report = chosen
        continue
      }
      guard let value = rest.popFirst() else { throw BenchmarkError("\(option) needs a value\n\n\(Self.usage)") }
      switch option {
      case "--rounds":
        guard let number = Int(value), number >= 7 else { throw BenchmarkError("A median needs at least 7 rounds") }
        rounds = number
      case "--workload": workloads.append(value)
      case "--variant": variants.append(value)
      case "--history":
        guard value == "on" || value == "off" else { throw BenchmarkError("--history is on or off") }
      case "--folder": folder = URL(filePath: value)
      case "--output": output = URL(filePath: value)
      default: throw BenchmarkError("Unknown option \(option)\n\n\(Self.usage)")
      }
    }
  }

  /// What of everything there is was asked for. An unknown name throws, lest a typing error passes for a result.
  func selection(from all: [Workload]) throws -> [Workload] {
    let variantNames = Set(all.flatMap(\.variants).map(\.name))
    if let unknown = workloads.first(where: { name in !all.contains { $0.name == name } }) {
      throw BenchmarkError("No workload '\(unknown)'. There are: \(all.map(\.name).joined(separator: ", "))")
    }
    if let unknown = variants.first(where: { !variantNames.contains($0) }) {
      throw BenchmarkError("No variant '\(unknown)'. There are: \(variantNames.sorted().joined(separator: ", "))")
    }
    return all.filter { workloads.isEmpty || workloads.contains($0.name) }.map { workload in
      var chosen = workload
      chosen.variants.removeAll { !variants.isEmpty && !variants.contains($0.name) }
      return chosen
    }
  }
}

/// What is measured in another way than as medians of interleaved rounds, and has a table of its own.
enum SeparateReport: String {
  case growth = "--growth"
  case threads = "--threads"
  case latency = "--latency"

  func table(in folder: URL) async throws -> String {
    switch self {
    case .growth: return try Growth.report(in: folder)
    case .threads: return try ThreadsReport.table(in: folder)
    case .latency:
      #if ROOST
        if #available(macOS 26, *) { return try await LatencyReport.table(in: folder) }
      #endif
      throw BenchmarkError("--latency needs Roost, and on macOS version 26")
    }
  }
}
