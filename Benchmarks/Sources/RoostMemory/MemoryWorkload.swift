import Foundation
import Roost

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
  /// As many rows into an empty table, with a save after each 10,000, by a context that is kept.
  case insert
  /// Each row deleted in a walk over all, with a save after each 10,000.
  case deleteEnumerated
  /// Each row deleted, 10,000 of them fetched at a time, with a save after each 10,000.
  case deleteFetched

  private static let savedAtOnce = 10_000

  /// Megabytes that it may grow by; nil where nothing is promised.
  var limit: Int? {
    switch self {
    case .enumerate, .batches, .first20, .migrate, .insert, .deleteEnumerated, .deleteFetched: 64
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
    case .insert:
      for number in 1...MemoryBenchmark.rowCount {
        context.insert(Measurement(number: number, value: Double(number), note: "note \(number)"))
        if number.isMultiple(of: Self.savedAtOnce) { try context.save() }
      }
      sum = try context.fetchCount(all)
    case .deleteEnumerated:
      try context.enumerate(FetchDescriptor<Measurement>(), batchSize: Self.savedAtOnce) { row in
        context.delete(row)
        sum += 1
        if sum.isMultiple(of: Self.savedAtOnce) { try context.save() }
      }
      sum -= try context.fetchCount(all)
    case .deleteFetched:
      var some = FetchDescriptor<Measurement>()
      some.fetchLimit = Self.savedAtOnce
      while case let rows = try context.fetch(some), !rows.isEmpty {
        for row in rows { context.delete(row) }
        try context.save()
        sum += rows.count
      }
    }
    guard sum > 0, expected.map({ $0 == sum }) ?? true else { throw CocoaError(.fileReadUnknown) }
  }

  /// What the sum is where all went well; nil where it may be one or another.
  private var expected: Int? {
    switch self {
    case .enumerate, .batches: MemoryBenchmark.rowCount * (MemoryBenchmark.rowCount + 1) / 2
    case .identifiers, .migrate, .insert, .deleteEnumerated, .deleteFetched: MemoryBenchmark.rowCount
    case .delete: 1
    case .first20: nil
    }
  }
}
