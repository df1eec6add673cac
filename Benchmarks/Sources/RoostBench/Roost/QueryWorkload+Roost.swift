import Foundation
import Roost

extension QueryWorkload {
  func roost(in folder: URL) throws -> Round {
    let container = try Self.filledContainer(in: folder)
    return {
      try timed {
        try sum(in: ModelContext(container))
      } check: {
        try check($0, "roost")
      }
    }
  }

  private func sum(in context: ModelContext) throws -> Double {
    switch self {
    case .countIndexed:
      return try (0..<Self.countedSensors).reduce(0) { sum, sensor in
        let descriptor = FetchDescriptor<Reading>(predicate: #Predicate { $0.sensor == sensor })
        return sum + Double(try context.fetchCount(descriptor))
      }
    case .filterIndexed:
      return try (0..<Self.filteredSensors).reduce(0) { sum, sensor in
        let descriptor = FetchDescriptor<Reading>(predicate: #Predicate { $0.sensor == sensor })
        return try context.fetch(descriptor).reduce(sum) { $0 + $1.value }
      }
    case .dashboard:
      func readings(of sensor: Int) -> FetchDescriptor<Reading> {
        FetchDescriptor(predicate: #Predicate { $0.sensor == sensor })
      }
      var sum = Double(try context.fetchCount(readings(of: 1)))
      sum += Double(try context.fetchCount(FetchDescriptor<Reading>(predicate: #Predicate { $0.sensor < 10 })))
      sum += try context.aggregate(readings(of: 2), .sum(\.value))
      sum += try context.aggregate(readings(of: 3), .average(\.value)) ?? 0
      sum += try context.aggregate(readings(of: 4), .min(\.value)) ?? 0
      sum += try context.aggregate(readings(of: 5), .max(\.date))?.timeIntervalSinceReferenceDate ?? 0
      let few = FetchDescriptor<Reading>(predicate: #Predicate { $0.sensor < 5 })
      return sum + Double(try context.aggregate(few, .countDistinct(\.kind)))
    case .groupBy:
      let kinds = try context.aggregate(FetchDescriptor<Reading>(), groupBy: \.kind, select: .count, .average(\.value))
      return kinds.reduce(0) { $0 + Double($1.1) + ($1.2 ?? 0) }
    }
  }

  /// A store that Roost made, filled by SQL.
  private static func filledContainer(in folder: URL) throws -> ModelContainer {
    let file = folder.appending(path: "readings.store")
    let store = ModelConfiguration(measured: file)
    try ModelContainer(for: Reading.self, configurations: store).close()
    try Database(file, tuned: true).execute(fill)
    return try ModelContainer(for: Reading.self, configurations: store)
  }
}
