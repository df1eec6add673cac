import CBenchmarkSQLite
import Foundation

@main @MainActor
struct Benchmark {
  static var workloads: [Workload] {
    var workloads = [
      InsertWorkload.workload, FetchWorkload.workload, RefetchWorkload.workload, NorthwindWorkload.workload,
      LookupWorkload.workload, UpsertWorkload.workload, UpsertIntoWorkload.workload, UpdateWorkload.workload,
      SavesWorkload.workload, ScreensWorkload.workload, SearchWorkload.workload, HopsWorkload.workload,
      WalkWorkload.workload, OpenWorkload.workload, ObserveWorkload.workload,
    ]
    workloads += StudentsWorkload.allCases.map(\.workload)
    workloads += TenIntegersWorkload.workloads
    workloads += LookupByValueWorkload.allCases.map(\.workload)
    workloads += EditWorkload.allCases.map(\.workload)
    workloads += PropertiesWorkload.allCases.map(\.workload)
    workloads += MigrateWorkload.allCases.map(\.workload)
    workloads += QueryWorkload.allCases.map(\.workload)
    #if ROOST
      workloads += HistoryWorkload.allCases.map(\.workload)
    #endif
    return workloads
  }

  static func main() async {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      if arguments.contains("--help") { return print(Options.usage) }
      #if ROOST
        if arguments.first == LatencyWriter.option, let file = arguments.last {
          return try LatencyWriter.write(to: URL(filePath: file))
        }
      #endif
      try await run(Options(Array(arguments)))
    } catch {
      FileHandle.standardError.write(Data("roost-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: Options) async throws {
    #if DEBUG
      print("A debug build: the numbers mean nothing. Use make bench.")
    #endif
    // Process-wide and before SQLite's first use or never: without this, whether all variants have them off would
    // depend on which of them happened to come first.
    guard roost_bench_disable_memory_statistics() == SQLITE_OK else {
      throw BenchmarkError("SQLite is in use before the benchmarks begin")
    }

    let folder = options.folder.appending(path: "roost-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    if let report = options.report { return print(try await report.table(in: folder)) }
    let measurements = try options.selection(from: workloads).flatMap { workload in
      try workload.measure(rounds: options.rounds, in: folder)
    }
    let report = Report(measurements: measurements)
    print("SQLite \(String(cString: sqlite3_libversion())), memory statistics off, \(options.rounds) rounds\n")
    print(report.table)
    try report.write(to: options.output)
    print("\nWritten to \(options.output.path)")
  }
}
