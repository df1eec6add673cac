import Foundation
import RoostEngine
import SyncMerge
import SyncServer
import TestSupport
import Testing

/// A zone in a file beside one in memory.
@Suite struct SQLiteZoneTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(ConnectionOptions(location: .memory(name: UUID().uuidString)))
    try ServerTables.create(connection)
  }

  private func file(_ name: String, _ cache: ZoneCache = ZoneCache(), keptPlaces: Int64 = 10_000) throws -> SQLiteZone {
    let id = try SQLiteZone.find(name, of: "anna", connection) ?? SQLiteZone.make(name, of: "anna", connection)
    return SQLiteZone(connection, id, cache, keptPlaces: keptPlaces)
  }

  @Test func `devices see the same of a zone in a file and of one in memory`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var rows = 0
    for place in 0..<UInt64(60) {
      let storage = try BothZones(.counters, file("\(place)"))
      var schedule = ZoneSchedule(storage, seed: seed &+ place)
      try connection.transaction { try schedule.run() }
      if let problem = try schedule.problem {
        Issue.record("ROOST_SEED=\(seed &+ place): \(problem)")
        return
      }
      rows += try schedule.rows
    }
    #expect(rows > 100)
  }

  @Test(arguments: [64 << 20, 1])
  func `relationships and unique values are the same in a file and in memory, whatever is kept of what was read`(
    bytes: Int
  ) throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var conflicts = 0
    for place in 0..<UInt64(60) {
      var random = SeededRandom(seed: seed &+ place)
      let file = try file("\(place)", ZoneCache(mostRecordBytes: bytes))
      var zone = SyncZone(try BothZones(MemoryZone(Self.registry(&random)), file))
      try connection.transaction {
        for number in 1...Int64(40) {
          let push = Self.push(number, head: try zone.storage.place.sequence, &random)
          conflicts += try zone.take(push, now: 1_000).conflicts.count
        }
      }
      let records = try zone.storage.records(behind: 0, limit: .max)
      for record in records { _ = try zone.storage.referrers(to: record.row) }
    }
    #expect(conflicts > 100)
  }

  @Test func `of large rows that a push is about not all are kept, and an answer reads no more than it has room for`()
    throws
  {
    let cache = ZoneCache(mostRecordBytes: 100_000)
    var zone = SyncZone(try file("photos", cache), answerBytes: 20_000)
    let schema = SyncSchema(entities: [SyncEntity(SyncName("Photo"), fields: [SyncFieldDefinition(SyncName("data"))])])
    _ = try zone.begin(SyncHello(zone: "photos", site: 1, schema: schema), now: 1)
    let edits = (1...Int64(50)).map { key in
      let stamp = SyncStamp(time: 1, site: 1)
      let value = SyncFieldEdit(value: .blob([UInt8](repeating: 1, count: 10_000)), stamp: stamp)
      return SyncEdit(row: SyncRowID(entity: 1, site: 1, key: key), kind: .insert, stamp: stamp, fields: [1: value])
    }
    let push = SyncPush(site: 1, number: 1, edits: edits)
    let answer = try connection.transaction { try zone.take(push, now: 1) }
    #expect(answer.records.count == 2 && answer.rest == 2)
    #expect((1...100_000).contains(cache.recordBytes))
    cache.forgetRows()
    // Once more, as its answer was lost.
    let again = try connection.transaction { try zone.take(push, now: 1) }
    #expect(again == answer && cache.recordBytes < 30_000)
  }

  @Test func `what is known of programs has an end, and a program that is known goes on`() throws {
    let id = try SQLiteZone.make("programs", of: "anna", connection)
    // A class takes some 1,170 bytes.
    var zone = SyncZone(SQLiteZone(connection, id, ZoneCache(), mostRegistryBytes: 4_000))
    func hello(_ number: Int) -> SyncHello {
      let entity = SyncEntity(SyncName("\(number)" + String(repeating: "x", count: 999)), fields: [])
      return SyncHello(zone: "programs", site: 1, schema: SyncSchema(entities: [entity]))
    }
    for number in 0..<3 { _ = try zone.begin(hello(number), now: 1) }
    #expect(throws: SyncServiceError.tooLarge) { try zone.begin(hello(3), now: 1) }
    _ = try zone.begin(hello(2), now: 1)
  }

  /// Notes with a unique name, and pages that refer to some.
  private static func registry(_ random: inout SeededRandom) -> SyncRegistry {
    var registry = SyncRegistry()
    let name = SyncFieldDefinition(SyncName("name"))
    let notes = SyncFieldDefinition(
      SyncName("note"),
      reference: SyncReference(
        to: "Note", deleteRule: random.pick([.nullify, .cascade, .deny]), isRequired: random.once(in: 2),
        takesAlong: random.once(in: 2)))
    _ = registry.register(
      SyncSchema(entities: [
        SyncEntity(
          SyncName("Note"), deletion: random.pick([.deletionWins, .editWins]), fields: [name], uniqueness: [["name"]]),
        SyncEntity(SyncName("Page"), fields: [name, notes]),
      ]))
    return registry
  }

  /// `head`: the zone's last change, as no edit has seen a later one.
  private static func push(_ number: Int64, head: Int64, _ random: inout SeededRandom) -> SyncPush {
    let site = UInt64.max - UInt64(random.below(2))
    func note() -> SyncRowID { SyncRowID(entity: 1, site: .max, key: Int64(random.below(6))) }
    let edits = (0...random.below(4)).map { _ in
      let stamp = SyncStamp(time: UInt64(random.below(1_000)), site: site)
      let isPage = random.once(in: 2)
      let row = isPage ? SyncRowID(entity: 2, site: 1, key: Int64(random.below(6))) : note()
      var edit = SyncEdit(
        row: row, kind: random.pick([.insert, .update, .update, .delete]), base: Int64(random.below(Int(head) + 1)),
        stamp: stamp)
      let name = SyncValue.text(random.pick(["a", "b", "c"]))
      edit.fields[1] = SyncFieldEdit(value: name, base: edit.base, stamp: stamp)
      if isPage {
        let notes = random.once(in: 3) ? SyncValue.list([.row(note()), .row(note())]) : .row(note())
        edit.fields[2] = SyncFieldEdit(value: notes, base: edit.base, stamp: stamp)
      }
      return edit
    }
    return SyncPush(site: 1, number: number, edits: edits.map(Self.unbased))
  }

  private static func unbased(_ edit: SyncEdit) -> SyncEdit {
    var edit = edit
    for field in edit.fields.keys { edit.fields[field]?.base = edit.base }
    return edit
  }

  @Test func `places of long ago are forgotten, and a device that saw one begins again where it was`() throws {
    var zone = SyncZone(try file("old", keptPlaces: 3))
    let fields = [SyncFieldDefinition(SyncName("count"))]
    let schema = SyncSchema(entities: [SyncEntity(SyncName("Item"), fields: fields)])
    _ = try zone.begin(SyncHello(zone: "old", site: 1, schema: schema), now: 1)
    var places: [SyncPlace] = []
    for number in 1...Int64(10) {
      let stamp = SyncStamp(time: 1, site: 1)
      let edit = SyncEdit(
        row: SyncRowID(entity: 1, site: 1, key: number), kind: .insert, stamp: stamp,
        fields: [1: SyncFieldEdit(value: .integer(1), stamp: stamp)])
      places.append(try zone.take(SyncPush(site: 1, number: number, edits: [edit]), now: 1).place)
    }
    for place in places[..<7] {
      #expect(throws: SyncZoneError.unknownPlace) { try zone.page(behind: 0, seen: place, for: 2, limit: 1) }
    }
    func hello(_ seen: SyncPlace) -> SyncHello {
      SyncHello(zone: "old", site: 1, lastPush: 10, seen: seen, pulled: seen, schema: SyncSchema(entities: []))
    }
    for place in places[..<7] {
      let welcome = try zone.begin(hello(place), now: 1)
      #expect(welcome.common == place.sequence && welcome.seen == places.last)
    }
    for place in places[7...] {
      let welcome = try zone.begin(hello(place), now: 1)
      #expect(welcome.common == place.sequence && welcome.seen == nil)
      #expect(throws: Never.self) { try zone.page(behind: 0, seen: place, for: 2, limit: 1) }
    }
  }

  @Test func `reals that are zero are one unique value, and texts are so by their bytes`() throws {
    let zone = try file("claims")
    let row = SyncRowID(entity: 1, site: .max, key: -1)
    try zone.setClaimant(of: SyncClaim(entity: 1, fields: [1], values: [.real(0)]), to: row)
    #expect(try zone.claimant(of: SyncClaim(entity: 1, fields: [1], values: [.real(-0.0)])) == row)
    try zone.setClaimant(of: SyncClaim(entity: 1, fields: [1], values: [.text("e\u{301}")]), to: row)
    #expect(try zone.claimant(of: SyncClaim(entity: 1, fields: [1], values: [.text("é")])) == nil)
  }

  @Test func `what cannot be read is an error`() throws {
    let zone = try file("damaged")
    let row = SyncRowID(entity: 1, site: 1, key: 1)
    try zone.put(SyncRecord(row: row, sequence: 1))
    try connection.execute("UPDATE record SET body = x'0102'")
    #expect(throws: SyncServerError.self) { try file("damaged").record(row) }
  }

  @Test func `data of another version is not touched`() throws {
    try connection.execute("PRAGMA user_version = 99")
    #expect(throws: SyncServerError.otherVersion(99)) { try ServerTables.create(connection) }
  }
}
