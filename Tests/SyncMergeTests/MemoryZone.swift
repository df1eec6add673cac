import SyncMerge

/// A zone's rows in memory.
struct MemoryZone: SyncZoneStorage {
  private(set) var place = SyncPlace.start
  private(set) var rows: [SyncRowID: SyncRecord] = [:]
  private(set) var registry: SyncRegistry
  private var marks: [Int64: UInt64] = [:]
  private var pushes: [UInt64: SyncTakenPush] = [:]

  init(_ registry: SyncRegistry) { self.registry = registry }

  /// One that has a class with a counter and a text.
  static var counters: MemoryZone {
    var registry = SyncRegistry()
    let fields = [
      SyncFieldDefinition(SyncName("count"), policy: .counter), SyncFieldDefinition(SyncName("text")),
    ]
    _ = registry.register(SyncSchema(entities: [SyncEntity(SyncName("Item"), fields: fields)]))
    return MemoryZone(registry)
  }

  func mark(at sequence: Int64) -> UInt64? { marks[sequence] }

  mutating func setPlace(_ place: SyncPlace) {
    self.place = place
    marks[place.sequence] = place.mark
  }

  func record(_ row: SyncRowID) -> SyncRecord? { rows[row] }

  func records(behind sequence: Int64, limit: Int) -> [SyncRecord] {
    Array(rows.values.filter { $0.sequence > sequence }.sorted { $0.sequence < $1.sequence }.prefix(limit))
  }

  mutating func put(_ record: SyncRecord) { rows[record.row] = record }
  func lastPush(of site: UInt64) -> SyncTakenPush? { pushes[site] }
  mutating func setLastPush(of site: UInt64, to push: SyncTakenPush) { pushes[site] = push }
  mutating func setRegistry(_ registry: SyncRegistry) { self.registry = registry }
}
