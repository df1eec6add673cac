package import FaultyDisk
package import Foundation
import Roost
package import RoostCore
import RoostEngine
import RoostMigration
package import RoostSync
package import SyncMerge
import Synchronization
package import TestSupport

/// A store with a program's models, and what syncs it.
package final class Machine {
  package let container: ModelContainer
  package let context: ModelContext
  /// A second one, which reads less often.
  private(set) lazy var other = ModelContext(container)
  /// A third one, whose edits are saved later than they are made.
  lazy var unsaved = UnsavedEdits(container)
  package let synced: SyncedStore
  package let url: URL
  package var now = start

  /// Later than any test is run: what is saved outside of ``atItsTime(_:)`` has the time of the machine that runs it.
  package static let start: UInt64 = 4_102_444_800_000

  package let version: any VersionedSchema.Type
  /// Whether it is any but the first.
  package var isLater: Bool { version != LibraryV1.self }
  /// Whether all of a card is synced.
  var syncsCards: Bool { version != LibraryV2.self }
  private let disk: FaultyDisk?
  /// The models that the program does not sync.
  package let unsynced: Set<String>
  private let merges: [CustomMerge]
  let pushSize: SyncPushSize
  /// Models that somebody holds, which show what the store has.
  var held: [any PersistentModel] = []

  package init(
    _ site: UInt64, random: UInt64 = 0, _ version: any VersionedSchema.Type = LibraryV1.self, at url: URL,
    on disk: FaultyDisk? = nil, unsynced: Set<String> = [], merges: [CustomMerge] = [],
    pushSize: SyncPushSize = SyncPushSize(), recorder: StatementRecorder? = nil
  ) throws {
    (self.url, self.version, self.disk, self.unsynced, self.merges) = (url, version, disk, unsynced, merges)
    self.pushSize = pushSize
    var configuration = ModelConfiguration(url: url)
    configuration.storeOptions.externalStorageThreshold = 150
    configuration.storeOptions.fileSystem = disk?.name
    configuration.storeOptions.recorder = recorder
    container = try ModelContainer(for: Self.schema(version), configurations: configuration)
    let number = version.versionIdentifier
    let contract = try SyncContract(
      container.store.schema, after: try Self.versions(before: number),
      version: [number.major, number.minor, number.patch], isSynced: { !unsynced.contains($0.name) },
      editWins: { $0.name == "Topic" }, merges: merges)
    synced = try SyncedStore(
      container.store, contract, zone: "test", site: site, random: random, sweepLimit: 5,
      captureLimit: 10, comparisonInterval: 0, pushSize: pushSize)
    context = ModelContext(container)
    context.autosaveEnabled = false
  }

  private static func versions(before number: Schema.Version) throws -> [SchemaInfo] {
    let all: [any VersionedSchema.Type] = [LibraryV1.self, LibraryV2.self, LibraryV3.self]
    return try all.filter { $0.versionIdentifier < number }.map { try schema($0).info() }
  }

  /// All machines of a program have the same one, as making one takes a tenth of a schedule's time.
  private static let schemas = Mutex<[ObjectIdentifier: Schema]>([:])

  private static func schema(_ version: any VersionedSchema.Type) -> Schema {
    schemas.withLock { schemas in
      if let known = schemas[ObjectIdentifier(version)] { return known }
      let schema = Schema(versionedSchema: version)
      schemas[ObjectIdentifier(version)] = schema
      return schema
    }
  }

  /// Two devices of a user, with stores in a folder of their own.
  package static func two() throws -> (folder: Folder, first: Machine, second: Machine) {
    let folder = try Folder()
    return (folder, try Machine(1, at: folder.store("first")), try Machine(2, at: folder.store("second")))
  }

  package func begin(_ zone: inout SyncZone<MemoryZone>) throws {
    let hello = try synced.hello()
    try synced.begin(try zone.begin(hello, now: now), to: hello, now: now)
  }

  package func push(_ zone: inout SyncZone<MemoryZone>) throws {
    while let push = try synced.nextPush(identity: UInt64.random(in: 1 ... .max), now: now) {
      try synced.receive(try zone.take(push, now: now), now: now)
    }
  }

  package func pull(_ zone: SyncZone<MemoryZone>, limit: Int = 3) throws {
    while true {
      let place = try synced.pagePlace()
      let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: limit)
      try synced.receive(page, behind: place.cursor, seen: place.seen, now: now)
      if page.isLast { return }
    }
  }

  package func sync(_ zone: inout SyncZone<MemoryZone>, pageLimit: Int = 3) throws {
    now += 1_000
    try begin(&zone)
    try push(&zone)
    try pull(zone, limit: pageLimit)
  }

  /// The same, after the program ended and started again, or a later one did.
  package func reopened(
    random: UInt64, _ version: (any VersionedSchema.Type)? = nil, unsynced: Set<String> = []
  ) throws -> Machine {
    // What a broken disk would not take is taken back as it opens.
    try? container.close()
    let other = try Machine(
      0, random: random, version ?? self.version, at: url, on: disk, unsynced: unsynced, merges: merges,
      pushSize: pushSize)
    other.now = now
    return other
  }

  /// The device, whose program is one from here on that migrates by a plan.
  package func migrated(
    random: UInt64, _ version: any VersionedSchema.Type, by plan: any SchemaMigrationPlan.Type,
    unsynced: Set<String> = []
  ) throws -> Machine {
    try container.close()
    let migrated = try ModelContainer(
      for: Schema(versionedSchema: version), migrationPlan: plan, configurations: ModelConfiguration(url: url))
    try migrated.close()
    return try reopened(random: random, version, unsynced: unsynced)
  }

  /// Copies the store. Returns false, with nothing done, where its rows have no names yet that the copy would share.
  package func copy(to url: URL) throws -> Bool {
    // Two devices' rows of a model that neither syncs are not the same ones later.
    if !unsynced.isEmpty { return false }
    // As an engine does after each save.
    do { try synced.noteChanges(now: now) } catch SyncedStoreError.notBegun { return false }
    try container.backup(to: url)
    return true
  }

  /// Runs what users do, with the device's time in what history has of it.
  package func atItsTime<Result>(_ body: () throws -> Result) rethrows -> Result {
    try StoreClock.$simulated.withValue(
      Double(now) / 1_000 - Date.timeIntervalBetween1970AndReferenceDate, operation: body)
  }

  package func isDone(_ zone: SyncZone<MemoryZone>) throws -> Bool {
    try synced.counts().isUpToDate && synced.hello().pulled == zone.storage.place
  }

  package func all<Model: PersistentModel>(_ type: Model.Type, by sort: SortDescriptor<Model>) throws -> [Model] {
    try context.fetch(FetchDescriptor(sortBy: [sort]))
  }
}

extension CustomMerge {
  /// Appends what one device appended to what the other left.
  package static func appending(model: String, property: String) -> CustomMerge {
    CustomMerge(model: model, property: property) { ancestor, remote, local in
      guard case (.text(let ancestor), .text(let remote), .text(let local)) = (ancestor, remote, local) else {
        return nil
      }
      return .text(remote + (local.hasPrefix(ancestor) ? String(local.dropFirst(ancestor.count)) : local))
    }
  }
}

/// A folder that is removed with the test.
package final class Folder {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent("roost-sync-\(UUID().uuidString)")
  package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }
  package func store(_ name: String) -> URL { url.appendingPathComponent("\(name).store") }
}
