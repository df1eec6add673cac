import CBenchmarkSQLite
import Foundation
import Roost

/// `insert-50k`, `fetch-200k` and `lookup-100k` of the other benchmarks, on encrypted files.
enum EncryptedWorkload: String {
  case insert = "encrypted-insert-50k"
  case fetch = "encrypted-fetch-200k"
  case lookup = "encrypted-lookup-100k"

  private static let key = [UInt8](1...32)
  private static let keyText = "x'" + key.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
  private static let rows = SampleRow.make(200_000)
  private static let indices = SampleRow.shuffledIndices(of: rows.count, taking: 100_000)

  var workload: Workload {
    var variants = [Variant("roost", { try roost(in: $0) }), Variant("sqlite-tuned", bare)]
    if self == .insert { variants.append(Variant("roost, no history", { try roost(in: $0, history: .off) })) }
    return Workload(name: rawValue, variants: variants)
  }

  /// The rows of the work's own table or store, at its beginning.
  private var fill: ArraySlice<SampleRow> { self == .insert ? [] : Self.rows[...] }
  private var expected: Checksum {
    switch self {
    case .insert: Checksum(Self.rows.prefix(50_000))
    case .fetch: Checksum(Self.rows)
    case .lookup: Checksum(Self.indices.lazy.map { Self.rows[$0] })
    }
  }

  // MARK: - The C interface

  /// A new file.
  private func open(_ folder: URL) throws -> Database {
    let database = try Database(folder.appending(path: UUID().uuidString), tuned: true, key: Self.keyText)
    try database.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, title TEXT, body TEXT, date REAL)")
    return database
  }

  private func bare(in folder: URL) throws -> Round {
    let expected = expected
    let filled = try open(folder)
    try filled.insert(Array(fill))
    let inserted = Array(Self.rows.prefix(50_000))
    return {
      let database = self == .insert ? try open(folder) : filled
      return try timed { () -> Checksum in
        var sum = Checksum()
        switch self {
        case .insert: try database.insert(inserted)
        case .fetch: for row in try database.fetchAll() { sum.add(title: row.title, body: row.body, date: row.date) }
        case .lookup:
          let statement = try database.prepare("SELECT id, title, body, date FROM entry WHERE id = ?")
          defer { sqlite3_finalize(statement) }
          for index in Self.indices {
            let row = try database.fetch(Int64(index + 1), with: statement)
            sum.add(title: row.title, body: row.body, date: row.date)
          }
        }
        return sum
      } check: { sum in
        try (self == .insert ? Checksum(database.fetchAll()) : sum).check(against: expected, "sqlite-tuned")
      }
    }
  }

  // MARK: - Roost

  /// A new store.
  private func container(_ folder: URL, _ history: ModelConfiguration.HistoryOptions?) throws -> ModelContainer {
    let file = folder.appending(path: UUID().uuidString)
    var configuration = ModelConfiguration(url: file, encryption: .key(Self.key))
    configuration.storeOptions.history = history
    return try ModelContainer(for: Entry.self, configurations: configuration)
  }

  private func roost(in folder: URL, history: ModelConfiguration.HistoryOptions? = nil) throws -> Round {
    let expected = expected
    let filled = try container(folder, history)
    let filling = ModelContext(filled)
    for row in fill { filling.insert(Entry(row)) }
    try filling.save()
    // By title, which holds the row's number.
    let all = try ModelContext(filled).fetchIdentifiers(
      FetchDescriptor<Entry>(sortBy: [SortDescriptor(\.title, comparator: .lexical)]))
    let inserted = Self.rows.prefix(50_000)
    return {
      let container = self == .insert ? try container(folder, history) : filled
      return try timed { () -> (ModelContext, Checksum) in
        let context = ModelContext(container)
        var sum = Checksum()
        func add(_ entry: Entry) { sum.add(title: entry.title, body: entry.body, date: entry.date) }
        switch self {
        case .insert:
          for row in inserted { context.insert(Entry(row)) }
          try context.save()
        case .fetch: try context.fetch(FetchDescriptor<Entry>()).forEach(add)
        case .lookup:
          for index in Self.indices {
            guard let entry = context.model(for: all[index]) as? Entry else {
              throw BenchmarkError("roost misses row \(index + 1)")
            }
            add(entry)
          }
        }
        return (context, sum)
      } check: { _, sum in
        var read = Checksum()
        if self == .insert {
          for entry in try ModelContext(container).fetch(FetchDescriptor<Entry>()) {
            read.add(title: entry.title, body: entry.body, date: entry.date)
          }
        }
        try (self == .insert ? read : sum).check(against: expected, "roost")
      }
    }
  }
}
