import RoostEngine
import SyncMerge
import SyncServer
import TestSupport

/// A zone in memory and one in a file, which must say the same whatever they are asked.
struct BothZones: SyncZoneStorage {
  private var memory: MemoryZone
  private let file: SQLiteZone

  init(_ memory: MemoryZone, _ file: SQLiteZone) throws {
    (self.memory, self.file) = (memory, file)
    try file.setRegistry(memory.registry)
  }

  struct Difference: Error {
    var memory: String
    var file: String
  }

  private func same<Value: Equatable>(_ memory: Value, _ file: Value) throws -> Value {
    if memory != file { throw Difference(memory: "\(memory)", file: "\(file)") }
    return file
  }

  var place: SyncPlace { get throws { try same(memory.place, file.place) } }
  var oldestPlace: Int64 { get throws { try same(memory.oldestPlace, file.oldestPlace) } }
  var registry: SyncRegistry { get throws { try same(memory.registry, file.registry) } }
  func mark(at sequence: Int64) throws -> UInt64? { try same(memory.mark(at: sequence), file.mark(at: sequence)) }
  func record(_ row: SyncRowID) throws -> SyncRecord? { try same(memory.record(row), file.record(row)) }
  func state(of row: SyncRowID) throws -> SyncRowState? { try same(memory.state(of: row), file.state(of: row)) }
  func referrers(to row: SyncRowID) throws -> [SyncRowID] {
    try same(memory.referrers(to: row), file.referrers(to: row))
  }
  func referrers(to row: SyncRowID, of entity: Int) throws -> [SyncRowID] {
    try same(memory.referrers(to: row, of: entity), file.referrers(to: row, of: entity))
  }
  func claimant(of claim: SyncClaim) throws -> SyncRowID? {
    try same(memory.claimant(of: claim), file.claimant(of: claim))
  }
  func lastPush(of site: UInt64) throws -> SyncTakenPush? {
    try same(memory.lastPush(of: site), file.lastPush(of: site))
  }

  func lastPushID(of site: UInt64) throws -> SyncPushID {
    try same(memory.lastPushID(of: site), file.lastPushID(of: site))
  }

  func record(_ row: SyncRowID, behind sequence: Int64) throws -> SyncRecord? {
    try same(memory.record(row, behind: sequence), file.record(row, behind: sequence))
  }

  func records(behind sequence: Int64, limit: Int) throws -> [SyncRecord] {
    try same(memory.records(behind: sequence, limit: limit), file.records(behind: sequence, limit: limit))
  }

  func forEachRow(_ body: (SyncRowID, Int64) -> Void) throws {
    func rows(_ zone: some SyncZoneStorage) throws -> [SyncRowID: Int64] {
      var rows: [SyncRowID: Int64] = [:]
      try zone.forEachRow { rows[$0] = $1 }
      return rows
    }
    for (row, sequence) in try same(rows(memory), rows(file)) { body(row, sequence) }
  }

  mutating func setPlace(_ place: SyncPlace) throws {
    memory.setPlace(place)
    try file.setPlace(place)
  }

  mutating func put(_ record: SyncRecord) throws {
    memory.put(record)
    try file.put(record)
  }

  mutating func setClaimant(of claim: SyncClaim, to row: SyncRowID?) throws {
    memory.setClaimant(of: claim, to: row)
    try file.setClaimant(of: claim, to: row)
  }

  mutating func setLastPush(of site: UInt64, to push: SyncTakenPush) throws {
    memory.setLastPush(of: site, to: push)
    try file.setLastPush(of: site, to: push)
  }

  mutating func setRegistry(_ registry: SyncRegistry) throws {
    memory.setRegistry(registry)
    try file.setRegistry(registry)
  }
}
