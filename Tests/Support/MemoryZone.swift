package import SyncMerge
import Synchronization

/// A zone's rows in memory.
package struct MemoryZone: SyncZoneStorage {
  package private(set) var place = SyncPlace.start
  package private(set) var rows: [SyncRowID: SyncRecord] = [:]
  /// The rows that are listed as referring to one.
  private var listed: [SyncRowID: Set<SyncRowID>] = [:]
  package private(set) var registry: SyncRegistry
  package private(set) var oldestPlace: Int64 = 0
  private var marks: [Int64: UInt64] = [:]
  private var claims: [SyncClaim: SyncRowID] = [:]
  private var pushes: [UInt64: SyncTakenPush] = [:]
  private let readReferrers = Count()
  private let readRecords = Count()

  private final class Count: Sendable { let value = Atomic<Int>(0) }

  /// How many rows it has found that refer to one, with its copies.
  package var referrersRead: Int { readReferrers.value.load(ordering: .relaxed) }

  /// How many rows it has been asked for with their values, with its copies.
  package var recordsRead: Int { readRecords.value.load(ordering: .relaxed) }

  package init(_ registry: SyncRegistry) { self.registry = registry }

  /// One that has a class with a counter and a text.
  package static var counters: MemoryZone {
    var registry = SyncRegistry()
    let fields = [
      SyncFieldDefinition(SyncName("count"), policy: .counter), SyncFieldDefinition(SyncName("text")),
    ]
    _ = registry.register(SyncSchema(entities: [SyncEntity(SyncName("Item"), fields: fields)]))
    return MemoryZone(registry)
  }

  package func mark(at sequence: Int64) -> UInt64? { marks[sequence] }

  package mutating func setPlace(_ place: SyncPlace) {
    self.place = place
    marks[place.sequence] = place.mark
  }

  /// Forgets what told the places before a sequence.
  package mutating func forgetPlaces(before sequence: Int64) {
    marks = marks.filter { $0.key >= sequence }
    oldestPlace = sequence
  }

  package func record(_ row: SyncRowID) -> SyncRecord? {
    readRecords.value.add(1, ordering: .relaxed)
    return rows[row]
  }

  package func state(of row: SyncRowID) -> SyncRowState? { rows[row].map(SyncRowState.init) }

  package func record(_ row: SyncRowID, behind sequence: Int64) -> SyncRecord? {
    rows[row].flatMap { $0.sequence > sequence && $0.deletion == nil ? $0 : nil }
  }

  package func records(behind sequence: Int64, limit: Int) -> [SyncRecord] {
    Array(rows.values.filter { $0.sequence > sequence }.sorted { $0.sequence < $1.sequence }.prefix(limit))
  }

  package func forEachRow(_ body: (SyncRowID, Int64) -> Void) {
    for row in rows.values where row.deletion == nil { body(row.row, row.sequence) }
  }

  package mutating func put(_ record: SyncRecord) {
    for row in rows[record.row]?.listedReferences ?? [] { listed[row]?.remove(record.row) }
    for row in record.listedReferences { listed[row, default: []].insert(record.row) }
    rows[record.row] = record
  }

  package func referrers(to row: SyncRowID) -> [SyncRowID] {
    let found = (listed[row] ?? []).sorted()
    readReferrers.value.add(found.count, ordering: .relaxed)
    return found
  }

  package func referrers(to row: SyncRowID, of entity: Int) -> [SyncRowID] {
    let found = (listed[row] ?? []).filter { $0.entity == entity }.sorted()
    readReferrers.value.add(found.count, ordering: .relaxed)
    return found
  }

  package func claimant(of claim: SyncClaim) -> SyncRowID? { claims[claim] }
  package mutating func setClaimant(of claim: SyncClaim, to row: SyncRowID?) { claims[claim] = row }
  package func lastPush(of site: UInt64) -> SyncTakenPush? { pushes[site] }
  package func lastPushID(of site: UInt64) -> SyncPushID {
    pushes[site].map { SyncPushID(number: $0.number, identity: $0.identity) } ?? .none
  }
  package mutating func setLastPush(of site: UInt64, to push: SyncTakenPush) { pushes[site] = push }
  package mutating func setRegistry(_ registry: SyncRegistry) { self.registry = registry }
}
