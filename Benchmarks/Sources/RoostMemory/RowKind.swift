import CBenchmarkHeap
import Foundation
import Roost

/// The row of `insert-50k`, with a key of the model's own.
@Model
final class Entry {
  var title: String
  var body: String
  var date: Date

  init(title: String, body: String, date: Date) {
    self.title = title
    self.body = body
    self.date = date
  }
}

/// What a program without any library has: the same, with the key as a field.
final class PlainEntry {
  let id: Int64
  var title: String
  var body: String
  var date: Date

  init(id: Int64, title: String, body: String, date: Date) {
    self.id = id
    self.title = title
    self.body = body
    self.date = date
  }
}

/// How many bytes of the heap 200,000 rows take that an array holds, their strings included.
enum RowKind: String, CaseIterable {
  case managed = "managed-rows"
  case plain = "plain-rows"

  static let rowCount = 200_000
  /// How many times as much a managed row may take.
  static let limit = 1.6

  /// In a process of its own, lest one finds free what the other has left.
  func heapBytes() throws -> Int {
    switch self {
    case .plain:
      let before = roost_bench_heap_bytes()
      let rows = (1...Self.rowCount).map { number in
        PlainEntry(
          id: Int64(number), title: Self.title(number), body: Self.body(number),
          date: Date(timeIntervalSinceReferenceDate: Double(number)))
      }
      return withExtendedLifetime(rows) { roost_bench_heap_bytes() - before }
    case .managed:
      return try MemoryBenchmark.inFolder { folder in
        let store = ModelConfiguration(url: folder.appending(path: "rows.store"))
        let container = try ModelContainer(for: Entry.self, configurations: store)
        try Self.fill(container)
        let context = ModelContext(container)
        // What a first fetch makes once, such as the statement and SQLite's cache, is no part of the rows.
        _ = try ModelContext(container).fetch(FetchDescriptor<Entry>()).count
        let before = roost_bench_heap_bytes()
        let rows = try context.fetch(FetchDescriptor<Entry>())
        return withExtendedLifetime((context, rows)) { roost_bench_heap_bytes() - before }
      }
    }
  }

  private static func fill(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    for number in 1...rowCount {
      context.insert(
        Entry(title: title(number), body: body(number), date: Date(timeIntervalSinceReferenceDate: Double(number))))
    }
    try context.save()
  }

  /// 28 and 76 bytes, without the room to grow that putting strings together leaves.
  private static func title(_ number: Int) -> String { exact("Sighting \(1_000_000 + number) of the year") }
  private static func body(_ number: Int) -> String {
    exact("\(1_000_000 + number) swift martin swallow nest roost feather dusk flight tower gable s")
  }
  private static func exact(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }
}
