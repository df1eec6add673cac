import Foundation
import Roost

/// The row as a model whose title is unique.
@Model
final class UniqueEntry {
  @Attribute(.unique) var title: String
  var body: String
  var date: Date

  init(_ row: SampleRow) {
    title = row.title
    body = row.body
    date = row.date
  }
}

extension UpsertWorkload {
  /// New models for rows that are there: the save makes each insert an update.
  static func roost(in folder: URL) throws -> Round {
    round(in: folder, first: rows, then: updates)
  }

  static func roostInserts(in folder: URL) throws -> Round {
    round(in: folder, first: [], then: updates)
  }

  private static func round(in folder: URL, first: [SampleRow], then rows: [SampleRow]) -> Round {
    InsertWorkload.freshFile(in: folder) { file in
      let container = try ModelContainer(for: UniqueEntry.self, configurations: ModelConfiguration(measured: file))
      try save(first, in: container)
      return try timed {
        try save(rows, in: container)
      } check: { _ in
        var sum = Checksum()
        for entry in try ModelContext(container).fetch(FetchDescriptor<UniqueEntry>()) {
          sum.add(title: entry.title, body: entry.body, date: entry.date)
        }
        try sum.check(against: checksum, "roost")
      }
    }
  }

  @discardableResult
  private static func save(_ rows: [SampleRow], in container: ModelContainer) throws -> ModelContext {
    let context = ModelContext(container)
    for row in rows { context.insert(UniqueEntry(row)) }
    try context.save()
    return context
  }
}
