import SyncMerge
import Testing

/// What a device does with a row that the server may have, or not.
@Suite struct ReplicaTests {
  private let row = SyncRowID(entity: 1, site: 1, key: 1)

  private func stamp(_ time: UInt64) -> SyncStamp { SyncStamp(time: time, site: 1) }

  @Test func `a row of which nobody has heard is deleted without a word`() {
    var replica = SyncReplica(row: row)
    replica.insert([1: .integer(1)], stamp(1))
    replica.delete(stamp(2))
    #expect(replica.isSynced)
  }

  @Test func `a row whose push was taken back is deleted at the server too`() {
    var replica = SyncReplica(row: row)
    replica.insert([1: .integer(1)], stamp(1))
    _ = replica.send()
    replica.takeBack()
    #expect(replica.pending?.kind == .insert)
    replica.delete(stamp(2))
    #expect(replica.pending?.kind == .delete && replica.pending?.base == 0)
  }

  @Test func `a row that was refused is new still, and one that is sent anew is not`() {
    var replica = SyncReplica(row: row)
    replica.insert([1: .integer(1)], stamp(1))
    #expect(replica.isNew)
    _ = replica.send()
    #expect(!replica.isNew)
    replica.takeBack()
    #expect(replica.isNew)
    var known = SyncReplica(row: row, sequence: 5)
    known.write(.integer(2), to: 1, former: .integer(1), stamp(1))
    known.sendAnew([1: .integer(2), 2: .text("a")], common: 0, stamp(2))
    #expect(known.pending?.kind == .insert && known.seen == 0 && !known.isNew)
  }

  @Test(arguments: [true, false])
  func `what is to be sent of a row that became another one is merged with that one's`(isLater: Bool) throws {
    let rules = SyncRules(policies: [1: .counter, 2: .set])
    var (other, replica) = (SyncReplica(row: row, sequence: 3), SyncReplica(row: row, sequence: 9))
    other.write(.integer(3), to: 1, former: .integer(2), stamp(5))
    other.write(.list([.text("b")]), to: 2, former: .list([.text("a")]), stamp(5))
    other.write(.text("other's"), to: 3, former: .null, stamp(5))
    replica.write(.integer(11), to: 1, former: .integer(10), stamp(isLater ? 4 : 6))
    replica.write(.list([.text("c"), .text("d")]), to: 2, former: .list([.text("c")]), stamp(isLater ? 4 : 6))
    replica.write(.text("own"), to: 3, former: .null, stamp(isLater ? 4 : 6))
    replica.takeOver(try #require(other.pending), rules)
    let edit = try #require(replica.pending)
    #expect(
      edit.fields[1]?.value == .integer(12) && edit.fields[1]?.ancestor == .integer(10) && edit.fields[1]?.base == 9)
    #expect(edit.fields[2]?.value == .list([.text("c"), .text("d"), .text("b")]))
    #expect(edit.fields[3]?.value == .text(isLater ? "other's" : "own"))
    // Alone, it has not seen what the other row was.
    var alone = SyncReplica(row: row, sequence: 9)
    alone.takeOver(try #require(other.pending), rules)
    #expect(alone.pending?.fields[1]?.ancestor == .integer(2) && alone.pending?.fields[1]?.base == 0)
  }

  @Test func `what nobody wrote does not take a deletion back`() {
    var replica = SyncReplica(row: row, sequence: 3)
    replica.delete(stamp(2))
    let edited = SyncRecord(
      row: row, sequence: 9, fields: [2: SyncField(value: .text("x"), stamp: SyncStamp(time: 1, site: 2), sequence: 9)])
    _ = replica.receive(edited, includesSent: true, SyncRules(deletion: .editWins))
    replica.write(.real(1), to: 1, former: .null, .first(of: 1))
    // Nor has who deleted it seen more than before.
    #expect(replica.pending?.kind == .delete && replica.pending?.base == 3)
    replica.write(.real(2), to: 1, former: .null, stamp(3))
    #expect(replica.pending?.kind == .update)
  }

  @Test func `what was noted of a row by mistake is what it was before`() {
    var replica = SyncReplica(row: row)
    replica.insert([1: .integer(1)], stamp(1))
    let new = replica
    replica.write(.integer(2), to: 1, former: .integer(1), stamp(5))
    replica.forgetFields(since: 4, former: nil)
    // It is dropped when it is deleted.
    #expect(replica.pending?.fields[1]?.value == .integer(2))
    replica = new
    _ = replica.send()
    replica.takeBack()
    let former = replica.pending
    replica.write(.integer(2), to: 1, former: .integer(1), stamp(5))
    replica.write(.integer(3), to: 2, former: .null, stamp(6))
    var other = replica
    replica.forgetFields(since: 4, former: former)
    #expect(replica.pending == former)
    other.forgetFields(since: 5, former: nil)
    #expect(other.pending?.fields.keys == [1])
  }

  @Test func `what is held back bit by bit goes another time, and so does all of it`() {
    var replica = SyncReplica(row: row)
    replica.insert([1: .integer(1), 2: .integer(2), 3: .integer(3)], stamp(1))
    let all = replica.send()
    replica.holdBack([1])
    replica.holdBack([2])
    #expect(replica.sent?.fields.keys == [3] && replica.pending?.fields.keys == [1, 2])
    replica.withdraw()
    #expect(replica.sent == nil && replica.pending == all && replica.sequence == 0)
  }

  @Test func `a row that is sent anew is deleted at the server too`() {
    var replica = SyncReplica(row: row, sequence: 5)
    replica.sendAnew([1: .integer(1)], common: 0, stamp(1))
    #expect(replica.pending?.kind == .insert && replica.pending?.base == 0 && replica.seen == 0)
    replica.delete(stamp(2))
    #expect(replica.pending?.kind == .delete)
  }
}
