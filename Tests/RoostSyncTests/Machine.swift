import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostSync
import SyncMerge
import TestSupport

/// A device: a store with its models, and what syncs it.
final class Machine {
  let container: ModelContainer
  let context: ModelContext
  let synced: SyncedStore
  let url: URL
  var now: UInt64 = 1_800_000_000_000

  private let types: [any PersistentModel.Type]

  init(
    _ site: UInt64, _ types: [any PersistentModel.Type] = [Author.self, Book.self, Topic.self, Copy.self], at url: URL
  ) throws {
    (self.url, self.types) = (url, types)
    container = try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url))
    context = ModelContext(container)
    context.autosaveEnabled = false
    let contract = try SyncContract(container.store.schema)
    synced = try SyncedStore(container.store, contract, zone: "test", site: site, sweepLimit: 100)
  }

  func begin(_ zone: inout SyncZone<MemoryZone>) throws {
    try synced.begin(try zone.begin(synced.hello(), now: now), now: now)
  }

  func push(_ zone: inout SyncZone<MemoryZone>) throws {
    while let push = try synced.nextPush(identity: UInt64.random(in: 1 ... .max), now: now) {
      try synced.receive(try zone.take(push, now: now), now: now)
    }
  }

  func pull(_ zone: SyncZone<MemoryZone>) throws {
    while true {
      let place = try synced.pagePlace()
      let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 3)
      try synced.receive(page, now: now)
      if page.isLast { return }
    }
  }

  func sync(_ zone: inout SyncZone<MemoryZone>) throws {
    now += 1_000
    try begin(&zone)
    try push(&zone)
    try pull(zone)
  }

  /// The same, after the program ended and started again.
  func reopened() throws -> Machine {
    try container.close()
    let other = try Machine(0, types, at: url)
    other.now = now
    return other
  }

  func isDone(_ zone: SyncZone<MemoryZone>) throws -> Bool {
    try synced.counts().isUpToDate && synced.hello().pulled == zone.storage.place
  }

  func all<Model: PersistentModel>(_ type: Model.Type, by sort: SortDescriptor<Model>) throws -> [Model] {
    try context.fetch(FetchDescriptor(sortBy: [sort]))
  }
}

/// A folder that is removed with the test.
final class Folder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("roost-sync-\(UUID().uuidString)")
  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }
  func store(_ name: String) -> URL { url.appendingPathComponent("\(name).store") }
}

// What there is at the end.
extension Machine {
  /// The counters of books, by their codes.
  func books() throws -> [String: Int] {
    let books = try ModelContext(container).fetch(FetchDescriptor<Book>())
    return Dictionary(books.map { ($0.code, $0.loans) }, uniquingKeysWith: +)
  }

  /// Every row, as it is to a user.
  func contents() throws -> [String: String] {
    let context = ModelContext(container)
    var contents: [String: String] = [:]
    for book in try context.fetch(FetchDescriptor<Book>()) {
      contents["book \(book.code)"] =
        "\(book.title) \(book.loans) \(book.marks.sorted()) \(book.price ?? -1) \(book.author?.name ?? "-") "
        + "\(book.topics.map(\.name).sorted()) \(book.copies.map(\.shelf).sorted())"
    }
    for author in try context.fetch(FetchDescriptor<Author>()) {
      contents["author \(author.name)"] = "\(author.born ?? -1) \(author.books.map(\.code))"
    }
    for topic in try context.fetch(FetchDescriptor<Topic>()) { contents["topic \(topic.name)"] = "" }
    for copy in try context.fetch(FetchDescriptor<Copy>()) { contents["copy \(copy.shelf)"] = copy.book.code }
    return contents
  }

  /// What is wrong with the file.
  func damage() throws -> String? {
    try container.store.pool.read { connection in
      let problems =
        try connection.strings("PRAGMA integrity_check").filter { $0 != "ok" }
        + connection.strings("SELECT \"table\" || ' ' || rowid FROM pragma_foreign_key_check")
      return problems.isEmpty ? nil : "\(url.lastPathComponent): \(problems.joined(separator: "; "))"
    }
  }
}
