import CBenchmarkSQLite
import Foundation
import Roost

/// Does one operation, to be watched by `Scripts/check-counts`. Without arguments it prints the operations' names.
@main
enum CountsBenchmark {
  static func main() throws {
    guard let name = CommandLine.arguments.dropFirst().first else {
      for operation in Operation.allCases { print(operation.rawValue) }
      return
    }
    if name == "--sqlite" { return print(String(cString: sqlite3_libversion())) }
    guard let operation = Operation(rawValue: name) else {
      FileHandle.standardError.write(Data("roost-counts: no operation is named '\(name)'\n".utf8))
      exit(2)
    }
    try inFolder { folder in
      let prepared = try ["warm-up.store", "counted.store"].map { name in
        try operation.prepared(in: folder.appending(path: name))
      }
      // What a first use makes for the whole process, such as the caches of types and key paths, is no row's. Nothing
      // is between the two, as what is counted begins where the first has ended.
      let results = try prepared.map { try countedWork($0.work) }
      for (prepared, result) in zip(prepared, results) { try prepared.check(result) }
    }
    print(operation.rowCount)
  }

  /// A folder that is removed afterwards.
  private static func inFolder(_ work: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "roost-counts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try work(folder)
  }
}

/// Callgrind writes what it has counted, and begins anew, wherever a function with this in its name ends. So would it
/// for a closure written in here, whose name has it too.
@inline(never)
private func countedWork(_ work: () throws -> Int) rethrows -> Int {
  try work()
}
