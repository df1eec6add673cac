import Foundation
import Roost
import RoostCore
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

  init(
    _ site: UInt64, _ types: [any PersistentModel.Type] = [Author.self, Book.self, Topic.self, Copy.self], at url: URL
  ) throws {
    self.url = url
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
