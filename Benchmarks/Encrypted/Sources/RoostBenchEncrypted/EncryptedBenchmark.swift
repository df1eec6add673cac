import CBenchmarkSQLite
import Foundation

/// What encryption costs Roost beside C loops with SQLCipher, the same key and the same settings.
@main @MainActor
struct EncryptedBenchmark {
  static let usage = "roost-bench-encrypted [--rounds N]: the median and the minimum of N rounds, 15 unless given"

  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.contains("--help") { return print(usage) }
      try run(rounds: try rounds(arguments))
    } catch {
      FileHandle.standardError.write(Data("roost-bench-encrypted: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func rounds(_ arguments: [String]) throws -> Int {
    if arguments.isEmpty { return 15 }
    guard arguments.count == 2, arguments[0] == "--rounds", let rounds = Int(arguments[1]), rounds >= 7 else {
      throw BenchmarkError("\(usage). A median needs at least 7 rounds.")
    }
    return rounds
  }

  private static func run(rounds: Int) throws {
    guard roost_bench_disable_memory_statistics() == SQLITE_OK else {
      throw BenchmarkError("SQLite is in use before the benchmarks begin")
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "roost-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let workloads = [EncryptedWorkload.insert, .fetch, .lookup].map(\.workload)
    let report = Report(measurements: try workloads.flatMap { try $0.measure(rounds: rounds, in: folder) })
    print("SQLCipher on SQLite \(String(cString: sqlite3_libversion())), \(rounds) rounds\n")
    print(report.table)
    // The folder that `Benchmarks` is in.
    let repository = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let output = repository.appending(path: ".build/bench-encrypted.json")
    try report.write(to: output)
    print("\nWritten to \(output.path)")
  }
}
