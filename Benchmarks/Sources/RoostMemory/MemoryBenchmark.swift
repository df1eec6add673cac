import Foundation
import Roost

@Model
final class Measurement {
  var number: Int
  var value: Double
  var note: String

  init(number: Int, value: Double, note: String) {
    self.number = number
    self.value = value
    self.note = note
  }
}

/// The same rows later: the number is a text, so that each is written anew.
enum Later: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Measurement.self]
  static let versionIdentifier = Schema.Version(2, 0, 0)

  @Model final class Measurement {
    var number: String
    var value: Double
    var note: String

    init(number: String, value: Double, note: String) {
      (self.number, self.value, self.note) = (number, value, note)
    }
  }
}

enum Earlier: VersionedSchema {
  static let models: [any PersistentModel.Type] = [Measurement.self]
  static let versionIdentifier = Schema.Version(1, 0, 0)
}

enum MeasurementPlan: SchemaMigrationPlan {
  static let schemas: [any VersionedSchema.Type] = [Earlier.self, Later.self]
  static let stages: [MigrationStage] = [
    .custom(
      from: Earlier.self, to: Later.self,
      steps: [.transform(\Measurement.number, to: \Later.Measurement.number) { String($0) }])
  ]
}

/// What walks over 1,000,000 rows need beside the store: the growth of the process at its highest.
enum MemoryWorkload: String, CaseIterable {
  case enumerate
  /// Each row of the lazy collection, one after the other.
  case batches
  /// The first twenty rows of the lazy collection.
  case first20
  /// As many identifiers as there are rows.
  case identifiers
  case delete
  /// A migration by a step, with its backup.
  case migrate

  /// Megabytes that it may grow by; nil where nothing is promised.
  var limit: Int? {
    switch self {
    case .enumerate, .batches, .first20, .migrate: 64
    case .identifiers, .delete: nil
    }
  }

  func run(_ context: ModelContext) throws {
    let all = FetchDescriptor<Measurement>(sortBy: [SortDescriptor(\.value)])
    var sum = 0
    switch self {
    case .enumerate: try context.enumerate(all) { sum += $0.number }
    case .batches: for row in try context.fetch(all, batchSize: 1_000) { sum += row.number }
    case .first20: sum = try context.fetch(all, batchSize: 20).prefix(20).reduce(0) { $0 + $1.number }
    case .identifiers: sum = try context.fetchIdentifiers(all).count
    case .delete:
      try context.delete(model: Measurement.self, where: #Predicate { $0.number > 0 })
      try context.save()
      sum = try context.fetchCount(all) + 1
    case .migrate:
      try context.container.close()
      let container = try ModelContainer(
        for: Schema([Later.Measurement.self]), migrationPlan: MeasurementPlan.self,
        configurations: Array(context.container.configurations))
      sum = try ModelContext(container).fetchCount(FetchDescriptor<Later.Measurement>())
    }
    guard sum > 0 else { throw CocoaError(.fileReadUnknown) }
  }
}

@main
enum MemoryBenchmark {
  static let rowCount = 1_000_000

  static func main() throws {
    let names = CommandLine.arguments.dropFirst()
    if let workload = names.first.flatMap(MemoryWorkload.init) { return try measure(workload) }
    // A process each, as what one of them has freed the next would not need to ask for.
    var failed = false
    for workload in MemoryWorkload.allCases {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [workload.rawValue]
      try process.run()
      process.waitUntilExit()
      failed = failed || process.terminationStatus != 0
    }
    exit(failed ? 1 : 0)
  }

  private static func measure(_ workload: MemoryWorkload) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "roost-memory-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try ModelContainer(
      for: Measurement.self, configurations: ModelConfiguration(url: folder.appending(path: "rows.store")))
    let context = ModelContext(container)
    try context.execute(
      sql: """
        WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < \(rowCount))
        INSERT INTO \(Measurement.self) (number, value, note) SELECT n, n * 7919 % 10007, 'note ' || n FROM row
        """)
    // The highest value starts again from what the process has now.
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = try status("VmRSS")
    let time = try ContinuousClock().measure { try workload.run(context) }
    let growth = try status("VmHWM") - before
    let limit = workload.limit.map { " (at most \($0))" } ?? ""
    print("\(workload.rawValue): \(growth) MB more for \(rowCount) rows\(limit), \(time)")
    if let limit = workload.limit, growth > limit { exit(1) }
  }

  /// A line of what Linux says of the process, in megabytes.
  private static func status(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return (line?.split { !$0.isNumber }.first).flatMap { Int($0) }.map { $0 / 1_000 } ?? 0
  }
}
