import Foundation
@testable import SyncMerge
import TestSupport
import Testing

/// A server's side of a zone.
@Suite struct ZoneTests {
  private var zone = SyncZone(MemoryZone.counters)
  private var clock = SyncClock(site: 1)

  private mutating func push(_ number: Int64, base: Int64 = 0, _ keys: ClosedRange<Int64> = 1...1) -> SyncPush {
    let edits = keys.map { key in
      let stamp = clock.stamp(now: 1)
      return SyncEdit(
        row: SyncRowID(entity: 1, site: 1, key: key), kind: .insert, stamp: stamp,
        fields: [1: SyncFieldEdit(value: .integer(1), base: base, stamp: stamp)])
    }
    return SyncPush(site: 1, number: number, edits: edits)
  }

  @Test mutating func `a push is taken once, and answered whenever it comes`() throws {
    let push = push(1)
    let first = try zone.take(push, now: 1)
    #expect(try zone.take(push, now: 1) == first)
    #expect(first.records.map(\.sequence) == [1] && zone.storage.place.sequence == 1)
  }

  @Test mutating func `a digest tells which rows there are in which versions, in whatever order they came`() throws {
    _ = try zone.take(push(1, 1...3), now: 1)
    let digest = try zone.digest()
    #expect(digest.place == zone.storage.place && digest.rows[1]?.count == 3)
    var rows = SyncDigest.Rows()
    for key in [3, 1, 2] as [Int64] { rows.add(SyncRowID(entity: 1, site: 1, key: key), at: key) }
    #expect(digest.rows == [1: rows])
    _ = try zone.take(push(2, 2...2), now: 1)
    let later = try zone.digest()
    #expect(later.rows[1]?.count == 3 && later.rows[1]?.sum != rows.sum)
    let deletion = SyncEdit(
      row: SyncRowID(entity: 1, site: 1, key: 3), kind: .delete, base: 4, stamp: clock.stamp(now: 1))
    _ = try zone.take(SyncPush(site: 1, number: 3, edits: [deletion]), now: 1)
    #expect(try zone.digest().rows[1]?.count == 2)
  }

  @Test mutating func `one push with other rows, or in another order, ends at another place`() throws {
    let push = push(1, 1...3)
    let places = try [push.edits, push.edits.reversed(), push.edits.dropLast()].map { edits in
      var zone = SyncZone(MemoryZone.counters)
      return try zone.take(SyncPush(site: 1, number: 1, identity: 5, edits: edits), now: 1).place
    }
    #expect(Set(places.map(\.mark)).count == 3)
  }

  @Test mutating func `an answer without room for all rows says where the others are`() throws {
    zone = SyncZone(MemoryZone.counters, answerBytes: 1)
    #expect(try zone.take(push(1), now: 1).rest == nil)
    // The first row comes again, and nothing is new in it.
    let known = try #require(try zone.page(behind: 0, for: 1, limit: 9).records.first)
    let nothing = SyncEdit(row: known.row, kind: .update, base: 1, stamp: clock.stamp(now: 1))
    let answer = try zone.take(SyncPush(site: 1, number: 2, edits: push(2, 2...3).edits + [nothing]), now: 1)
    #expect(answer.records.map(\.row.key) == [2] && answer.rest == 0)
    #expect(try zone.page(behind: 0, for: 1, limit: 9).records.map(\.row.key) == [1, 2, 3])
  }

  @Test mutating func `a push before which one is missing is refused`() throws {
    let push = push(3)
    #expect(throws: SyncZoneError.missingPush(1)) { try zone.take(push, now: 1) }
    #expect(zone.storage.place.sequence == 0)
  }

  @Test mutating func `a clock that is ahead is told the time, and one that is behind is not`() throws {
    let push = SyncPush(
      site: 1, number: 1,
      edits: [
        SyncEdit(row: SyncRowID(entity: 1, site: 1, key: 1), kind: .insert, stamp: clock.stamp(now: 500_000))
      ])
    #expect(throws: SyncZoneError.clockAhead(now: 400_000)) { try zone.take(push, now: 400_000) }
    #expect(throws: Never.self) { try zone.take(push, now: 440_000) }
    let late = self.push(2)
    #expect(throws: Never.self) { try zone.take(late, now: .max) }
  }

  @Test mutating func `who has seen more than there is is told`() throws {
    let push = push(1, base: 7)
    #expect(throws: SyncZoneError.unknownPlace) { try zone.take(push, now: 1) }
    #expect(throws: SyncZoneError.unknownPlace) { try zone.page(behind: 1, for: 1, limit: 9) }
  }

  @Test mutating func `numbers that the zone did not give are refused, as a copy from before them was put back`() throws
  {
    let (stamp, row) = (clock.stamp(now: 1), SyncRowID(entity: 1, site: 1, key: 1))
    func push(_ row: SyncRowID, _ number: Int, _ value: SyncValue) -> SyncPush {
      let fields: SyncFields = [number: SyncFieldEdit(value: value, stamp: stamp)]
      return SyncPush(
        site: 1, number: 1, edits: [SyncEdit(row: row, kind: .insert, stamp: stamp, fields: fields)])
    }
    let unknown = SyncRowID(entity: 2, site: 1, key: 1)
    for push in [push(unknown, 1, .null), push(row, 3, .null), push(row, 2, .list([.row(unknown)]))] {
      #expect(throws: SyncZoneError.unknownPlace) { try zone.take(push, now: 1) }
    }
    #expect(zone.storage.place == .start)
    _ = try zone.take(push(row, 2, .row(row)), now: 1)
  }

  @Test mutating func `pages have each row once, in order`() throws {
    let push = push(1, 1...5)
    _ = try zone.take(push, now: 1)
    var (cursor, keys) = (Int64(0), [Int64]())
    while true {
      let page = try zone.page(behind: cursor, for: 2, limit: 2)
      keys += page.records.map(\.row.key)
      cursor = page.cursor
      if page.isLast { break }
    }
    #expect(keys == [1, 2, 3, 4, 5] && cursor == 5)
    let end = try zone.page(behind: cursor, for: 1, limit: 2)
    #expect(
      end.records.isEmpty && end.cursor == 5 && end.isLast && end.taken.number == 1 && end.place == zone.storage.place)
  }
}

/// How a device begins.
@Suite struct ZoneSessionTests {
  private var zone = SyncZone(MemoryZone.counters)
  private let schema = SyncSchema(entities: [
    SyncEntity(SyncName("Item"), fields: [SyncFieldDefinition(SyncName("text"))])
  ])

  private func hello(lastPush: Int64 = 0, seen: SyncPlace = .start, pulled: SyncPlace = .start) -> SyncHello {
    SyncHello(zone: "z", site: 1, lastPush: lastPush, seen: seen, pulled: pulled, schema: schema)
  }

  private mutating func push(_ number: Int64, identity: UInt64) throws -> SyncPushAnswer {
    let stamp = SyncStamp(time: 1, site: 1)
    let edit = SyncEdit(
      row: SyncRowID(entity: 1, site: 1, key: number), kind: .insert, stamp: stamp,
      fields: [1: SyncFieldEdit(value: .integer(1), stamp: stamp)])
    return try zone.take(SyncPush(site: 1, number: number, identity: identity, edits: [edit]), now: 1)
  }

  @Test mutating func `a device is told its numbers, the rules and how far it is`() throws {
    let place = try push(1, identity: 7).place
    let welcome = try zone.begin(hello(lastPush: 1, seen: place), now: 9)
    #expect(welcome.numbers.entities["Item"]?.fields == ["text": 2])
    #expect(welcome.rules[1]?.policy(of: 1) == .counter)
    #expect(welcome.common == place.sequence && welcome.place == place && welcome.lastPush == 1 && welcome.now == 9)
  }

  @Test mutating func `a device that saw what an older copy of the data does not have begins where both are the same`()
    throws
  {
    let pulled = try push(1, identity: 7).place
    let copy = zone
    let seen = try push(2, identity: 8).place
    zone = copy
    let other = try push(2, identity: 9).place
    #expect(other.sequence == seen.sequence)
    #expect(try zone.begin(hello(lastPush: 2, seen: seen, pulled: pulled), now: 9).common == pulled.sequence)
    #expect(try zone.begin(hello(lastPush: 2, seen: seen), now: 9).common == 0)
    #expect(throws: SyncZoneError.unknownPlace) { try zone.page(behind: 0, seen: seen, for: 1, limit: 9) }
    #expect(throws: SyncZoneError.unknownPlace) {
      try zone.take(SyncPush(site: 1, number: 3, seen: seen, edits: []), now: 1)
    }
  }

  @Test mutating func `a constraint that a later program adds holds for the rows that are there`() throws {
    func schema(_ version: Int, _ uniqueness: [[String]]) -> SyncSchema {
      SyncSchema(
        version: [version],
        entities: [
          SyncEntity(SyncName("Item"), fields: [SyncFieldDefinition(SyncName("code"))], uniqueness: uniqueness)
        ])
    }
    func push(_ site: UInt64, _ key: Int64) -> SyncPush {
      let stamp = SyncStamp(time: 1, site: site)
      let edit = SyncEdit(
        row: SyncRowID(entity: 1, site: site, key: key), kind: .insert, stamp: stamp,
        fields: [1: SyncFieldEdit(value: .text("x"), stamp: stamp)])
      return SyncPush(site: site, number: 1, edits: [edit])
    }
    zone = SyncZone(MemoryZone(SyncRegistry()))
    _ = try zone.begin(SyncHello(zone: "z", site: 1, schema: schema(1, [])), now: 1)
    _ = try zone.take(push(1, 1), now: 1)
    _ = try zone.begin(SyncHello(zone: "z", site: 2, schema: schema(2, [["code"]])), now: 1)
    _ = try zone.take(push(2, 1), now: 1)
    let second = try #require(zone.storage.record(SyncRowID(entity: 1, site: 2, key: 1)))
    #expect(second.deletion?.mergedInto == SyncRowID(entity: 1, site: 1, key: 1))
  }

  private func items(_ version: Int, _ uniqueness: [[String]]) -> SyncSchema {
    let fields = [SyncFieldDefinition(SyncName("code")), SyncFieldDefinition(SyncName("notes"))]
    return SyncSchema(
      version: [version], entities: [SyncEntity(SyncName("Item"), fields: fields, uniqueness: uniqueness)])
  }

  /// Two rows that have the same value, as none may, and two others with values of their own.
  private mutating func withDuplicates() throws -> (twice: [SyncRowID], others: [SyncRowID]) {
    let rows = (1...4).map { SyncRowID(entity: 1, site: 1, key: $0) }
    zone = SyncZone(MemoryZone(SyncRegistry()))
    _ = try zone.begin(SyncHello(zone: "z", site: 1, schema: items(2, [["code"]])), now: 1)
    try write(zip(rows, ["x", "w", "y", "z"]).map { ($0, $1, .insert) }, as: 1)
    var second = try #require(zone.storage.record(rows[1]))
    second.fields[1]?.value = .text("x")
    zone.storage.put(second)
    return (Array(rows[..<2]), Array(rows[2...]))
  }

  @Test mutating func `rows with the same values become one as a program has a constraint, with the later values`()
    throws
  {
    let rows = (1...4).map { SyncRowID(entity: 1, site: 1, key: $0) }
    zone = SyncZone(MemoryZone(SyncRegistry()))
    _ = try zone.begin(SyncHello(zone: "z", site: 1, schema: items(1, [])), now: 1)
    try write(zip(rows, ["x", "y", "x", "x"]).map { ($0, $1, .insert) }, as: 1)
    let hello = SyncHello(zone: "z", site: 2, schema: items(2, [["code"]]))
    let welcome = try zone.begin(hello, now: 1)
    #expect(rows.map { zone.storage.record($0)?.deletion?.mergedInto } == [nil, nil, rows[0], rows[0]])
    #expect(try zone.storage.record(rows[0])?.fields[2]?.value == .integer(4) && zone.begin(hello, now: 1) == welcome)
    #expect(try welcome.place == zone.storage.place && zone.page(behind: 4, for: 1, limit: 10).records.count == 3)
  }

  private mutating func write(_ codes: [(SyncRowID, String, SyncEdit.Kind)], as number: Int64) throws {
    let stamp = SyncStamp(time: UInt64(number), site: 1)
    let edits = codes.map { row, code, kind in
      let notes = SyncFieldEdit(value: .integer(row.key), stamp: stamp)
      let field = SyncFieldEdit(value: .text(code), base: zone.storage.place.sequence, stamp: stamp)
      return SyncEdit(row: row, kind: kind, stamp: stamp, fields: kind == .insert ? [1: field, 2: notes] : [1: field])
    }
    _ = try zone.take(SyncPush(site: 1, number: number, edits: edits), now: 1)
  }

  @Test(.timeLimit(.minutes(10)))
  mutating func `rows with the same values from before a constraint give way to others`()
    throws
  {
    let (twice, others) = try withDuplicates()
    try write([(twice[0], "y", .update), (twice[1], "z", .update)], as: 2)
    let codes = (twice + others).map { zone.storage.record($0)?.fields[1]?.value }
    #expect(codes == [.text("x"), .text("x"), .text("y"), .text("z")])
  }

  @Test(arguments: [0, 1])
  mutating func `rows with the same values from before a constraint stay two`(index: Int) throws {
    let (twice, others) = try withDuplicates()
    try write([(twice[index], "z", .update)], as: 2)
    for row in twice + others {
      let record = try #require(zone.storage.record(row))
      #expect(record.deletion == nil && record.fields[2]?.value == .integer(row.key))
    }
  }

  @Test(arguments: [[], [1], [2], [3]])
  mutating func `a model of its own that one program has below another is refused to all but later ones`(version: [Int])
    throws
  {
    zone = SyncZone(MemoryZone(SyncRegistry()))
    func begin(_ version: [Int], _ entity: SyncEntity) throws {
      let schema = SyncSchema(version: version, entities: [entity])
      _ = try zone.begin(SyncHello(zone: "z", site: 9, schema: schema), now: 1)
    }
    let animal = SyncEntity(SyncName("Animal"), classes: [SyncName("Animal"), SyncName("Dog")], fields: [])
    let isLater = version == [3]
    try begin(version.isEmpty ? [] : [2], animal)
    if isLater {
      try begin(version, SyncEntity(SyncName("Dog"), fields: []))
    } else {
      #expect(throws: SyncZoneError.movedClass("Dog")) { try begin(version, SyncEntity(SyncName("Dog"), fields: [])) }
      try begin(version.isEmpty ? [] : [2], animal)
    }
  }

  @Test mutating func `a value that a row gave up while nothing was unique is another row's when it is again`() throws {
    func begin(_ version: Int, _ uniqueness: [[String]]) throws {
      let item = SyncEntity(SyncName("Item"), fields: [SyncFieldDefinition(SyncName("code"))], uniqueness: uniqueness)
      let schema = SyncSchema(version: [version], entities: [item])
      _ = try zone.begin(SyncHello(zone: "z", site: 9, schema: schema), now: 1)
    }
    func push(_ site: UInt64, _ number: Int64, _ kind: SyncEdit.Kind, _ code: String) throws {
      let (stamp, base) = (SyncStamp(time: UInt64(number), site: site), zone.storage.place.sequence)
      let edit = SyncEdit(
        row: SyncRowID(entity: 1, site: site, key: 1), kind: kind, base: base, stamp: stamp,
        fields: [1: SyncFieldEdit(value: .text(code), base: base, stamp: stamp)])
      _ = try zone.take(SyncPush(site: site, number: number, edits: [edit]), now: 1)
    }
    zone = SyncZone(MemoryZone(SyncRegistry()))
    try begin(1, [["code"]])
    try push(1, 1, .insert, "x")
    try begin(2, [])
    try push(1, 2, .update, "y")
    try begin(3, [["code"]])
    try push(2, 1, .insert, "x")
    #expect(zone.storage.rows.values.allSatisfy { $0.deletion == nil })
    try push(3, 1, .insert, "x")
    let third = try #require(zone.storage.record(SyncRowID(entity: 1, site: 3, key: 1)))
    #expect(third.deletion?.mergedInto == SyncRowID(entity: 1, site: 2, key: 1))
  }

  @Test(arguments: [true, false])
  mutating func `rows that an earlier program made have the default of a new property that is unique`(
    isKnown: Bool
  ) throws {
    func begin(_ schema: SyncSchema) throws {
      _ = try zone.begin(SyncHello(zone: "z", site: 9, schema: schema), now: 1)
    }
    func push(_ site: UInt64, _ values: SyncFields<SyncValue>) throws {
      let stamp = SyncStamp(time: 1, site: site)
      let fields = values.mapValues { SyncFieldEdit(value: $0, stamp: stamp) }
      let edit = SyncEdit(row: SyncRowID(entity: 1, site: site, key: 1), kind: .insert, stamp: stamp, fields: fields)
      _ = try zone.take(SyncPush(site: site, number: 1, edits: [edit]), now: 1)
    }
    func isThere(_ site: UInt64) -> Bool {
      zone.storage.record(SyncRowID(entity: 1, site: site, key: 1)).map { $0.deletion == nil } ?? false
    }
    let (name, kind) = (
      SyncFieldDefinition(SyncName("name")), SyncFieldDefinition(SyncName("kind"), unwritten: .text("user"))
    )
    let (first, later) = (
      SyncSchema(version: [1], entities: [SyncEntity(SyncName("Tag"), fields: [name], uniqueness: [["name"]])]),
      SyncSchema(
        version: [2],
        entities: [SyncEntity(SyncName("Tag"), fields: [name, kind], uniqueness: [["name", "kind"]])])
    )
    zone = SyncZone(MemoryZone(SyncRegistry()))
    try begin(first)
    try push(1, [1: .text("Inbox")])
    if isKnown { try begin(later) }
    try push(2, [1: .text("Work")])
    if !isKnown { try begin(later) }
    try push(3, [1: .text("Inbox"), 2: .text("user")])
    try push(4, [1: .text("Work"), 2: .text("user")])
    try push(5, [1: .text("Work"), 2: .text("app")])
    #expect([1, 2, 3, 4, 5].map(isThere) == [true, true, false, false, true])
    // Another program of the same version has another default. It does not have all rows claim their values anew.
    var other = later
    other.entities[0].fields[1].unwritten = .text("other")
    try begin(other)
    try push(6, [1: .text("Work"), 2: .text("other")])
    #expect(isThere(6))
    #expect(try JSONDecoder().decode(SyncSchema.self, from: JSONEncoder().encode(later)) == later)
  }

  @Test mutating func `a row that comes back is in the list of what its owner is by now`() throws {
    func begin(isUnique: Bool) throws {
      let tracks = SyncFieldDefinition(SyncName("tracks"), policy: .set, reference: SyncReference(to: "Track"))
      let entities = [
        SyncEntity(
          SyncName("Playlist"), fields: [SyncFieldDefinition(SyncName("name")), tracks],
          uniqueness: isUnique ? [["name"]] : []),
        SyncEntity(SyncName("Track"), deletion: .editWins, fields: [SyncFieldDefinition(SyncName("title"))]),
      ]
      let schema = SyncSchema(version: [isUnique ? 2 : 1], entities: entities)
      _ = try zone.begin(SyncHello(zone: "z", site: 9, schema: schema), now: 1)
    }
    var number: [UInt64: Int64] = [:]
    func edit(
      _ site: UInt64, _ row: SyncRowID, _ kind: SyncEdit.Kind, _ base: Int64, _ values: SyncFields<SyncValue> = [:]
    ) -> SyncEdit {
      let stamp = SyncStamp(time: UInt64(zone.storage.place.sequence) + 1, site: site)
      let fields = values.mapValues { SyncFieldEdit(value: $0, base: base, stamp: stamp) }
      return SyncEdit(row: row, kind: kind, base: base, stamp: stamp, fields: fields)
    }
    func push(_ edits: SyncEdit...) throws {
      let site = edits[0].stamp.site
      number[site, default: 0] += 1
      _ = try zone.take(SyncPush(site: site, number: number[site] ?? 0, edits: edits), now: 1)
    }
    zone = SyncZone(MemoryZone(SyncRegistry()))
    try begin(isUnique: false)
    let (first, owner) = (SyncRowID(entity: 1, site: 1, key: 1), SyncRowID(entity: 1, site: 1, key: 2))
    let track = SyncRowID(entity: 2, site: 1, key: 1)
    try push(edit(1, track, .insert, 0, [1: .text("Song")]))
    try push(edit(1, first, .insert, 0, [1: .text("Mix")]))
    try push(edit(1, owner, .insert, 0, [1: .text("Mix"), 2: .list([.row(track)])]))
    let seen = zone.storage.place.sequence
    var letGo = edit(2, owner, .update, seen, [2: .list([])])
    letGo.fields[2]?.ancestor = .list([.row(track)])
    try push(letGo, edit(2, track, .delete, seen))
    #expect(zone.storage.record(owner)?.fields[2]?.value == .list([]))
    try begin(isUnique: true)
    #expect(zone.storage.record(owner)?.deletion?.mergedInto == first)
    try push(edit(3, track, .update, seen, [1: .text("Song 2")]))
    #expect(zone.storage.record(track)?.deletion == nil)
    #expect(zone.storage.record(first)?.fields[2]?.value == .list([.row(track)]))
  }

  @Test mutating func `programs with other constraints have only rows looked at that changed between them`() throws {
    func begin(_ uniqueness: [[String]]) throws {
      let item = SyncEntity(SyncName("Item"), fields: [SyncFieldDefinition(SyncName("code"))], uniqueness: uniqueness)
      _ = try zone.begin(SyncHello(zone: "z", site: 9, schema: SyncSchema(entities: [item])), now: 1)
    }
    func push(_ site: UInt64, _ code: String) throws {
      let stamp = SyncStamp(time: 1, site: site)
      let edit = SyncEdit(
        row: SyncRowID(entity: 1, site: site, key: 1), kind: .insert, stamp: stamp,
        fields: [1: SyncFieldEdit(value: .text(code), stamp: stamp)])
      _ = try zone.take(SyncPush(site: site, number: 1, edits: [edit]), now: 1)
    }
    func claimant(_ code: String) -> UInt64? {
      zone.storage.claimant(of: SyncClaim(entity: 1, fields: [1], values: [.text(code)]))?.site
    }
    zone = SyncZone(MemoryZone(SyncRegistry()))
    try begin([["code"]])
    try push(1, "x")
    // It has claimed nothing, so that it is seen whether anybody looks at it.
    let field = SyncField(value: .text("y"), stamp: SyncStamp(time: 1, site: 2), sequence: 1)
    zone.storage.put(SyncRecord(row: SyncRowID(entity: 1, site: 2, key: 1), sequence: 1, fields: [1: field]))
    for site in [3, 4] as [UInt64] {
      try begin([])
      try push(site, "\(site)")
      try begin([["code"]])
    }
    #expect(claimant("x") == 1 && claimant("y") == nil && claimant("3") == 3 && claimant("4") == 4)
  }

  @Test mutating func `what the program decides is told whatever else there is room for`() throws {
    let note = SyncEntity(
      SyncName("Note"), fields: [SyncFieldDefinition(SyncName("text"), policy: .custom)])
    var registry = SyncRegistry()
    _ = registry.register(SyncSchema(entities: [note]))
    zone = SyncZone(MemoryZone(registry))
    func push(_ site: UInt64, _ text: String) throws -> SyncPushAnswer {
      let edits = (1...4).map { key in
        let stamp = SyncStamp(time: UInt64(key), site: site)
        return SyncEdit(
          row: SyncRowID(entity: 1, site: 1, key: Int64(key)), kind: .insert, stamp: stamp,
          fields: [1: SyncFieldEdit(value: .text(text), stamp: stamp)])
      }
      return try zone.take(SyncPush(site: site, number: 1, edits: edits), now: 1)
    }
    _ = try push(1, String(repeating: "a", count: 4 << 20))
    let conflicts = try push(2, "b").conflicts
    #expect(conflicts.count == 4 && conflicts.allSatisfy { $0.client.value == .text("b") })
    #expect(conflicts.last?.server.value == .null)
  }

  @Test func `of rows that were there, and become others, no more is told than there is room for`() {
    var told = ToldConflicts()
    let value = SyncStampedValue(
      value: .blob([UInt8](repeating: 1, count: 5 << 20)), stamp: SyncStamp(time: 1, site: 1))
    for key in 1...3 as ClosedRange<Int64> {
      let row = SyncRowID(entity: 1, site: 1, key: key)
      told.append(SyncConflict(row: row, field: 1, server: value, client: value, outcome: .open), isOfPush: false)
    }
    #expect(told.all.count == 1)
  }

  @Test func `a conflict with a value that is larger than any push is told without it, or not at all`() {
    var told = ToldConflicts()
    let stamp = SyncStamp(time: 1, site: 1)
    let large = SyncStampedValue(value: .blob([UInt8](repeating: 1, count: 25 << 20)), stamp: stamp)
    let client = SyncStampedValue(value: .text("a"), stamp: stamp)
    for outcome in [SyncConflict.Outcome.merged, .open] {
      let row = SyncRowID(entity: 1, site: 1, key: 1)
      told.append(SyncConflict(row: row, field: 1, server: large, client: client, outcome: outcome))
    }
    #expect(told.all.map { $0.server.value == .null } == [true])
  }

  @Test mutating func `a copy of a device is told that the other one has pushed`() throws {
    _ = try push(1, identity: 7)
    #expect(throws: SyncZoneError.otherPush) { try push(1, identity: 8) }
    #expect(throws: SyncZoneError.otherPush) { try zone.begin(hello(lastPush: 0), now: 1) }
  }

  @Test mutating func `a device of another version is told the server's`() {
    var hello = hello()
    hello.versions = 7...8
    #expect(throws: SyncZoneError.unknownVersion(newest: 1)) { try zone.begin(hello, now: 1) }
  }
}
