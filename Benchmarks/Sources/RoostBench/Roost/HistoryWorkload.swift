import CBenchmarkSQLite
import Foundation
import Roost

/// What it costs that a store remembers its changes: each workload with and without.
///
/// Learnt: triggers take as long as the changes themselves (an update 3.4 times as long), so a save is told of
/// its rows by SQLite instead. Of an update only the columns that it sets are compared: most of the rest is
/// SQLite's own copy of the old row. `INSERT … SELECT` from the same table makes SQLite build a temporary one,
/// which took half of a small save.
enum HistoryWorkload: String, CaseIterable {
  case insert = "history-insert-50k"
  case update = "history-update-50k"
  /// Rows inserted by another program, which triggers note.
  case shell = "history-shell-50k"
  /// A store whose history has 1,000,000 changes opened, and its first row read.
  case open = "history-open-1M"

  static let count = 50_000

  var workload: Workload {
    Workload(
      name: rawValue,
      variants: [
        Variant("recorded") { try round(in: $0, .on) }, Variant("unrecorded") { try round(in: $0, .off) },
      ])
  }

  private func round(in folder: URL, _ history: ModelConfiguration.HistoryOptions) throws -> Round {
    let file = folder.appending(path: "history.store")
    var store = ModelConfiguration(url: file)
    store.storeOptions.history = history
    switch self {
    case .insert:
      return InsertWorkload.freshFile(in: folder) { _ in try insert(store) }
    case .update:
      return try update(ModelContainer(for: Counter.self, configurations: store))
    case .shell:
      return InsertWorkload.freshFile(in: folder) { _ in
        try ModelContainer(for: Entry.self, configurations: store).close()
        let database = try Database(file, tuned: true)
        return try timed {
          try database.insert(InsertWorkload.rows, with: Entry.insertion)
        } check: {
        }
      }
    case .open:
      try ModelContainer(for: Counter.self, configurations: store).close()
      let database = try Database(file, tuned: true)
      try database.execute(UpdateWorkload.insertion(into: "Counter", count: 1_000_000))
      return {
        try timed {
          let container = try ModelContainer(for: Counter.self, configurations: store)
          var first = FetchDescriptor<Counter>()
          first.fetchLimit = 1
          let found = try ModelContext(container).fetch(first).first?.title
          try container.close()
          return found
        } check: {
          guard $0 == UpdateWorkload.title(1) else { throw BenchmarkError("\(rawValue): another first row") }
        }
      }
    }
  }

  private func insert(_ store: ModelConfiguration) throws -> Duration {
    let container = try ModelContainer(for: Entry.self, configurations: store)
    return try timed {
      let context = ModelContext(container)
      for row in InsertWorkload.rows { context.insert(Entry(row)) }
      try context.save()
      return context
    } check: { _ in
      let found = try ModelContext(container).fetchCount(FetchDescriptor<Entry>())
      guard found == InsertWorkload.rows.count else { throw BenchmarkError("\(rawValue): \(found) rows") }
    }
  }

  private func update(_ container: ModelContainer) throws -> Round {
    let context = ModelContext(container)
    let counters = (0..<Self.count).map { Counter(title: UpdateWorkload.title($0), count: 0, isOn: false) }
    for counter in counters { context.insert(counter) }
    try context.save()
    return {
      try timed {
        for counter in counters { counter.count += 1 }
        try context.save()
      } check: {
        let found = try ModelContext(container).aggregate(FetchDescriptor<Counter>(), .sum(\.count))
        guard found == counters.reduce(0, { $0 + $1.count }) else { throw BenchmarkError("\(rawValue): \(found)") }
      }
    }
  }
}
