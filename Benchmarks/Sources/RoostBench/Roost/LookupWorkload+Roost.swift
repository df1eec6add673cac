import Foundation
import Roost

extension LookupWorkload {
  /// Each row is looked for once in a context that began empty, so that none is answered from memory.
  static func roost(in folder: URL) throws -> Round {
    let container = try FetchWorkload.filledContainer(in: folder)
    // By title, which holds the row's number.
    let everything = FetchDescriptor<Entry>(sortBy: [SortDescriptor(\.title, comparator: .lexical)])
    let all = try ModelContext(container).fetchIdentifiers(everything)
    let identifiers = indices.map { all[$0] }
    return {
      try timed {
        let context = ModelContext(container)
        var touch = Touch()
        for identifier in identifiers {
          guard let entry = context.model(for: identifier) as? Entry else {
            throw BenchmarkError("roost misses \(identifier)")
          }
          touch.add(title: entry.title, body: entry.body, date: entry.date)
        }
        return (context, touch)
      } check: { _, touched in
        try touched.check(against: touch, "roost")
      }
    }
  }
}
