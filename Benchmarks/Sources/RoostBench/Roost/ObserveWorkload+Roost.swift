import Foundation
import Roost

extension ObserveWorkload {
  /// A `ResultsObserver` of one context, whose results are filtered and sorted; another context edits and saves.
  static func roost(in folder: URL) throws -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let container = try ModelContainer(for: Entry.self, configurations: ModelConfiguration(measured: file))
      let (writer, reader) = (ModelContext(container), ModelContext(container))
      let entries = rows.map { Entry($0) }
      for entry in entries { writer.insert(entry) }
      try writer.save()
      let start = Date(timeIntervalSinceReferenceDate: 0)
      let observer = try ResultsObserver<Entry, Never>(
        filterBy: #Predicate { $0.date >= start }, sortBy: [SortDescriptor(\.date)], modelContext: reader)
      return try timed {
        for (id, date) in changes {
          entries[Int(id) - 1].date = date
          try writer.save()
          guard observer.results.count == rows.count else { throw BenchmarkError("another number of results") }
        }
        return observer
      } check: { observer in
        let dates = observer.results.map(\.date)
        guard dates == dates.sorted(), Set(changes.map(\.date)).isSubset(of: dates) else {
          throw BenchmarkError("roost: results in another order")
        }
      }
    }
  }
}
