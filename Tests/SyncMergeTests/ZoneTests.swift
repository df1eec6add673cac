import Foundation
import SyncMerge
import TestSupport
import Testing

/// A server's side of a zone.
@Suite struct ZoneTests {
  private var zone = SyncZone(MemoryZone()) { _ in SyncRules(policies: [1: .counter]) }
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
    #expect(first.records.map(\.sequence) == [1] && zone.storage.head == 1)
  }

  @Test mutating func `a push before which one is missing is refused`() throws {
    let push = push(3)
    #expect(throws: SyncZoneError.missingPush(1)) { try zone.take(push, now: 1) }
    #expect(zone.storage.head == 0)
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
    #expect(throws: SyncZoneError.unknownPlace(head: 0)) { try zone.take(push, now: 1) }
    #expect(throws: SyncZoneError.unknownPlace(head: 0)) { try zone.page(behind: 1, for: 1, limit: 9) }
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
    #expect(try zone.page(behind: cursor, for: 1, limit: 2) == SyncPage(records: [], cursor: 5, isLast: true, taken: 1))
  }
}
