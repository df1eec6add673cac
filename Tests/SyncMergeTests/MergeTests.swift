import SyncMerge
import Testing

/// What becomes of two devices' edits of one row.
@Suite struct MergeTests {
  /// The field as the server has it, with the edits of a first device that knows nothing
  /// of the second's, in both orders.
  private func merged(
    _ policy: SyncMergePolicy, _ ancestor: SyncValue, _ first: SyncValue, _ second: SyncValue
  ) -> (both: [SyncField], outcomes: [SyncConflict.Outcome?]) {
    let orders = [[0, 1], [1, 0]].map { order in
      var server = Server(SyncRules(policies: [1: policy]), [1: ancestor])
      var devices = [Device(server, site: 1), Device(server, site: 2)]
      devices[0].write(first, to: 1, now: 10)
      devices[1].write(second, to: 1, now: 20)
      for device in order { devices[device].push(to: &server) }
      return server
    }
    return (orders.compactMap { $0.record.fields[1] }, orders.map { $0.conflicts.first?.outcome })
  }

  @Test func `a counter that would be no number is the later edit's`() {
    let merge = merged(.counter, .real(.infinity), .real(.infinity), .real(1))
    #expect(merge.both.allSatisfy { if case .real(let sum) = $0.value { !sum.isNaN } else { false } })
  }

  @Test func `the later edit stays, whichever came first, and the other is a conflict`() {
    let merge = merged(.lastWriter, .text("a"), .text("b"), .text("c"))
    #expect(merge.both.map(\.value) == [.text("c"), .text("c")])
    #expect(merge.outcomes == [.client, .server])
  }

  @Test func `two devices that write the same are no conflict`() {
    for policy in [SyncMergePolicy.lastWriter, .max, .set, .keepBoth] {
      #expect(merged(policy, .null, .list([.integer(1)]), .list([.integer(1)])).outcomes == [nil, nil], "\(policy)")
    }
  }

  @Test func `a counter has what both added`() {
    #expect(
      merged(.counter, .integer(5), .integer(7), .integer(4)).both.map(\.value) == [.integer(6), .integer(6)])
    #expect(merged(.counter, .null, .integer(2), .integer(3)).both.map(\.value) == [.integer(5), .integer(5)])
    #expect(merged(.counter, .real(1), .real(1.5), .integer(3)).both.map(\.value) == [.real(3.5), .real(3.5)])
    #expect(
      merged(.counter, .integer(0), .integer(.max), .integer(1)).both.map(\.value) == [.integer(.min), .integer(.min)])
    #expect(merged(.counter, .integer(5), .integer(7), .null).both.map(\.value) == [.null, .null])
  }

  @Test func `the largest and the smallest value stay`() {
    #expect(merged(.max, .integer(1), .integer(9), .real(3)).both.map(\.value) == [.integer(9), .integer(9)])
    #expect(merged(.min, .integer(9), .integer(7), .null).both.map(\.value) == [.integer(7), .integer(7)])
    #expect(merged(.min, .text("m"), .text("c"), .text("d")).both.map(\.value) == [.text("c"), .text("c")])
  }

  @Test func `a set is in the order of who moved its elements, with what the other added behind them`() {
    func list(_ numbers: Int64...) -> SyncValue { .list(numbers.map { .integer($0) }) }
    for (first, second) in [(list(3, 1, 2), list(1, 2, 3, 4)), (list(1, 2, 3, 4), list(3, 1, 2))] {
      #expect(merged(.set, list(1, 2, 3), first, second).both.map(\.value) == [list(3, 1, 2, 4), list(3, 1, 2, 4)])
    }
    #expect(merged(.set, list(1, 2, 3), list(3, 2, 1), list(2, 3)).both.map(\.value) == [list(3, 2), list(3, 2)])
  }

  @Test func `what one writes twice before it is sent has not seen what came in between`() {
    var server = Server(SyncRules(policies: [1: .keepBoth]), [1: .null])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    devices[0].write(.text("mine"), to: 1, now: 20)
    devices[1].write(.text("theirs"), to: 1, now: 10)
    devices[1].push(to: &server)
    devices[0].pull(server)
    devices[0].write(.text("mine again"), to: 1, now: 30)
    devices[0].push(to: &server)
    let field = server.record.fields[1]
    #expect(field?.value == .text("mine again") && field?.others.map(\.value) == [.text("theirs")])
    #expect(server.conflicts.map(\.outcome) == [.open])
  }

  @Test func `an element that one inserts is there beside an equal one that both have moved`() {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    let merge = merged(.orderedList, list("abx"), list("xab"), list("xaxb"))
    #expect(merge.both.map(\.value) == [list("xaxb"), list("xaxb")])
  }

  @Test func `a set has what either added, and not what either removed`() {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    for field in merged(.set, list("abc"), list("acx"), list("bcy")).both {
      guard case .list(let elements) = field.value else { continue }
      #expect(Set(elements) == Set("cxy".map { .text(String($0)) }))
      #expect(elements.count == 3)
    }
  }

  @Test func `a list keeps its order, with what either inserted where it was put`() {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    func text(_ value: SyncValue) -> String {
      guard case .list(let elements) = value else { return "?" }
      return elements.map { if case .text(let text) = $0 { text } else { "?" } }.joined()
    }
    #expect(
      merged(.orderedList, list("abcd"), list("xabd"), list("abcyd")).both.map { text($0.value) } == ["xabyd", "xabyd"])
    #expect(merged(.orderedList, list(""), list("ab"), list("cd")).both.map { text($0.value) } == ["abcd", "cdab"])
    #expect(
      merged(.orderedList, list("aab"), list("ab"), list("aabb")).both.map { text($0.value) }.allSatisfy {
        $0.count == 3
      })
  }

  @Test func `what is inserted stands behind the element that it was put behind, also where others before it are gone`()
  {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    let merge = merged(.orderedList, list("abcd"), list("bcxd"), list("abcdy"))
    #expect(merge.both.map(\.value) == [list("bcxdy"), list("bcxdy")])
  }

  @Test func `an element that both have moved is there once, and a new one of each as often as it was put in`() {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    // Where the one had it whose push came first.
    let once = merged(.orderedList, list("abc"), list("cab"), list("acb"))
    #expect(once.both.map(\.value) == [list("cab"), list("acb")])
    let twice = merged(.orderedList, list("abcc"), list("ccab"), list("acbc"))
    #expect(twice.both.map(\.value) == [list("ccab"), list("cacb")])
    let new = merged(.orderedList, list("ab"), list("xab"), list("axb"))
    #expect(new.both.map(\.value) == [list("xaxb"), list("xaxb")])
  }

  @Test func `an element that one moves and the other removes is gone`() {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    #expect(merged(.orderedList, list("abc"), list("cab"), list("ab")).both.map(\.value) == [list("ab"), list("ab")])
    // Of two that are equal one is left, which stands where it was moved to.
    #expect(merged(.orderedList, list("abb"), list("ab"), list("bab")).both.map(\.value) == [list("ba"), list("ba")])
  }

  @Test func `an element that one inserts is there beside an equal one that the other moves to the same place`() {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    let merge = merged(.orderedList, list("aab"), list("aba"), list("bab"))
    #expect(merge.both.map(\.value) == [list("abb"), list("bab")])
  }

  @Test func `a list stays as far as it is in order, whatever is moved, removed or there twice`() {
    func list(_ text: String) -> SyncValue { .list(text.map { .text(String($0)) }) }
    let merge = merged(.orderedList, list("abcde"), list("bcdea"), list("xabcde"))
    #expect(merge.both.map(\.value) == [list("xbcdea"), list("xbcdea")])
    #expect(
      merged(.orderedList, list("aabb"), list("abab"), list("aabbc")).both.map(\.value) == [
        list("ababc"), list("ababc"),
      ])
    // Anybody may send a list as long as a push has room for.
    let many = (0..<100_000).map { SyncValue.integer($0) }
    let turned = merged(.orderedList, .list(many), .list(many.reversed()), .list(many + [.null]))
    for field in turned.both {
      guard case .list(let elements) = field.value else { continue }
      #expect(elements.count == 100_001 && Set(elements) == Set(many + [.null]))
    }
  }

  @Test(arguments: [SyncMergePolicy.counter, .set, .orderedList])
  func `of two that send all anew the one counts that saw more, whichever comes first`(policy: SyncMergePolicy) {
    let isCounter = policy == .counter
    let less: SyncValue = isCounter ? .integer(10) : .list([.text("a")])
    let more: SyncValue = isCounter ? .integer(11) : .list([.text("a"), .text("b")])
    for isMoreFirst in [true, false] {
      var server = Server(SyncRules(policies: [1: policy]), [1: isCounter ? .integer(9) : .list([])])
      let sent: [(SyncValue, Int64)] = [(less, 11), (more, 12)]
      for (value, place) in isMoreFirst ? sent.reversed() : sent {
        let stamp = SyncStamp.lost(at: place, of: UInt64(place))
        let field = SyncFieldEdit(value: value, ancestor: value, base: 1, stamp: stamp)
        server.take(SyncEdit(row: server.record.row, kind: .insert, base: 1, stamp: stamp, fields: [1: field]))
      }
      #expect(server.record.fields[1]?.value == more, "\(isMoreFirst)")
    }
  }

  @Test func `an addition of which nobody knows when it was made stays where others send all anew`() {
    var server = Server(SyncRules(policies: [1: .counter]), [1: .integer(10)])
    for (stamp, value) in [(SyncStamp.unknown(of: 1), 15), (.lost(at: 9, of: 2), 10)] as [(SyncStamp, Int64)] {
      let field = SyncFieldEdit(value: .integer(value), ancestor: .integer(10), base: 0, stamp: stamp)
      server.take(SyncEdit(row: server.record.row, kind: .update, base: 0, stamp: stamp, fields: [1: field]))
    }
    #expect(server.record.fields[1]?.value == .integer(15))
  }

  @Test func `a merged value is as late as the later edit`() {
    var server = Server(SyncRules(policies: [1: .counter]), [1: .integer(0)])
    var devices = (1...3).map { Device(server, site: $0) }
    devices[0].write(.integer(1), to: 1, now: 30)
    devices[1].write(.integer(2), to: 1, now: 20)
    devices[2].write(.null, to: 1, now: 25)
    for place in devices.indices { devices[place].push(to: &server) }
    #expect(server.record.fields[1]?.value == .integer(3))
  }

  @Test func `a conflict that the device has found is none for the server`() {
    var server = Server(SyncRules(), [1: .text("a")])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    devices[0].write(.text("b"), to: 1, now: 1)
    devices[1].write(.text("c"), to: 1, now: 9)
    devices[0].push(to: &server)
    devices[1].pull(server)
    devices[1].push(to: &server)
    #expect(devices[1].conflicts.map(\.outcome) == [.client] && server.conflicts.isEmpty)
    #expect(server.record.fields[1]?.value == .text("c"))
  }

  @Test func `of two deletions the later one counts, whichever came first`() {
    for order in [[0, 1], [1, 0]] {
      var server = Server(SyncRules(), [1: .text("a")])
      var devices = [Device(server, site: 1), Device(server, site: 2)]
      devices[0].delete(now: 10)
      devices[1].delete(now: 20)
      for place in order { devices[place].push(to: &server) }
      #expect(server.record.deletion?.stamp.site == 2 && server.conflicts.isEmpty)
    }
  }

  @Test func `both values are kept until somebody who has seen them writes`() {
    let merge = merged(.keepBoth, .text("a"), .text("b"), .text("c"))
    #expect(merge.both.map(\.value) == [.text("c"), .text("c")])
    #expect(merge.both.map { $0.others.map(\.value) } == [[.text("b")], [.text("b")]])
    #expect(merge.outcomes == [.open, .open])
    var server = Server(SyncRules(policies: [1: .keepBoth]), [1: .null])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    for place in devices.indices { devices[place].write(.integer(Int64(place)), to: 1) }
    for place in devices.indices { devices[place].push(to: &server) }
    devices[1].write(.integer(7), to: 1)
    devices[1].push(to: &server)
    #expect(server.record.fields[1]?.value == .integer(7) && server.record.fields[1]?.others == [])
  }

  @Test func `an edit that the program is to merge leaves the value as it is`() {
    let merge = merged(.custom, .text("a"), .text("b"), .text("c"))
    #expect(merge.both.map(\.value) == [.text("b"), .text("c")])
    #expect(merge.outcomes == [.open, .open])
  }

  @Test func `edits of different fields never meet`() {
    var server = Server(SyncRules(), [1: .text("a"), 2: .text("b")])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    devices[0].write(.text("x"), to: 1, now: 99)
    devices[1].write(.text("y"), to: 2, now: 1)
    for place in devices.indices { devices[place].push(to: &server) }
    #expect(server.record.fields.mapValues(\.value) == [1: .text("x"), 2: .text("y")])
    #expect(server.conflicts.isEmpty)
  }

  @Test func `who has seen a value writes over it, whatever its clock says`() {
    var server = Server(SyncRules(), [1: .text("a")])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    devices[0].write(.text("b"), to: 1, now: 4_000_000_000_000)
    devices[0].push(to: &server)
    devices[1].pull(server)
    devices[1].write(.text("c"), to: 1, now: 1)
    devices[1].push(to: &server)
    #expect(server.record.fields[1]?.value == .text("c") && server.conflicts.isEmpty)
  }

  @Test(arguments: [SyncDeletionPolicy.deletionWins, .editWins])
  func `a deletion against an edit ends the same, whichever came first, and keeps the edit`(
    policy: SyncDeletionPolicy
  ) {
    for order in [[0, 1], [1, 0]] {
      var server = Server(SyncRules(deletion: policy), [1: .text("a"), 2: .text("b")])
      var devices = [Device(server, site: 1), Device(server, site: 2)]
      devices[0].delete(now: 20)
      devices[1].write(.text("edited"), to: 1, now: 10)
      for place in order { devices[place].push(to: &server) }
      #expect((server.record.deletion == nil) == (policy == .editWins))
      #expect(server.record.fields[1]?.value == .text("edited"))
      #expect(server.conflicts.map(\.field) == [nil])
    }
  }

  @Test func `who has seen a deletion and writes brings the row back`() {
    var server = Server(SyncRules(), [1: .text("a")])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    devices[0].delete()
    devices[0].push(to: &server)
    devices[1].pull(server)
    devices[1].write(.text("b"), to: 1)
    devices[1].push(to: &server)
    #expect(server.record.deletion == nil && server.conflicts.isEmpty)
  }

  @Test func `who deletes a row after an edit of its own that is on its way deletes it, and may bring it back`() {
    var server = Server(SyncRules(deletion: .editWins), [1: .text("a")])
    var device = Device(server, site: 1)
    device.write(.text("b"), to: 1)
    if let edit = device.send() { server.take(edit) }
    device.delete()
    device.push(to: &server)
    #expect(server.record.deletion != nil && server.conflicts.isEmpty)
    device.write(.text("c"), to: 1)
    device.push(to: &server)
    #expect(server.record.deletion == nil && server.record.fields[1]?.value == .text("c") && server.conflicts.isEmpty)
  }

  @Test func `who has an edit to send, sees that the row was deleted, and writes again brings it back`() {
    var server = Server(SyncRules(), [1: .text("a"), 2: .text("b")])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    devices[0].write(.text("x"), to: 1)
    devices[1].delete()
    devices[1].push(to: &server)
    devices[0].pull(server)
    #expect(devices[0].shown.deletion != nil)
    devices[0].write(.text("y"), to: 2)
    devices[0].push(to: &server)
    #expect(server.record.deletion == nil && server.record.fields.mapValues(\.value) == [1: .text("x"), 2: .text("y")])
  }

  @Test func `a row that was deleted and written again before it was sent is not deleted`() {
    var server = Server(SyncRules(), [1: .text("a")])
    var device = Device(server, site: 1)
    device.delete()
    device.write(.text("b"), to: 1)
    device.push(to: &server)
    #expect(server.record.deletion == nil && server.record.fields[1]?.value == .text("b"))
  }

  @Test func `an addition that was merged with the own one is an edit that the device has not seen`() {
    for isFirst in [true, false] {
      var server = Server(SyncRules(policies: [1: .counter], deletion: .editWins), [1: .integer(0)])
      var devices = [Device(server, site: 1), Device(server, site: 2)]
      devices[0].write(.integer(1), to: 1, now: 9)
      devices[1].write(.integer(2), to: 1, now: 1)
      if isFirst { devices[1].push(to: &server) }
      if let edit = devices[0].send() { server.take(edit) }
      devices[1].push(to: &server)
      devices[0].delete(now: 10)
      if let edit = devices[0].replica.pending { server.take(edit) }
      #expect(server.record.deletion == nil && server.record.fields[1]?.value == .integer(3))
    }
  }

  @Test func `the program is asked wherever one edit meets another that did not know of it`() {
    var server = Server(SyncRules(policies: [1: .custom]), [1: .text("a")])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    for place in devices.indices { devices[place].write(.integer(Int64(place)), to: 1) }
    devices[0].push(to: &server)
    devices[1].pull(server)
    #expect(devices[1].replica.isSynced && devices[1].shown == server.record)
    #expect(devices[1].conflicts.map(\.outcome) == [.open])
    #expect(devices[1].conflicts.map(\.client.value) == [.integer(1)])
    devices[0].write(.integer(2), to: 1)
    devices[1].write(.integer(7), to: 1)
    for place in devices.indices { devices[place].push(to: &server) }
    #expect(server.conflicts.map(\.outcome) == [.open] && server.record.fields[1]?.value == .integer(2))
  }

  @Test func `an edit that lost is not sent`() {
    var server = Server(SyncRules(), [1: .text("a")])
    var devices = [Device(server, site: 1), Device(server, site: 2)]
    devices[0].write(.text("b"), to: 1, now: 9)
    devices[1].write(.text("c"), to: 1, now: 1)
    devices[0].push(to: &server)
    devices[1].pull(server)
    #expect(devices[1].replica.isSynced && devices[1].conflicts.map(\.outcome) == [.server])
    #expect(devices[1].shown == server.record)
  }

  @Test(arguments: [false, true])
  func `of three edits the latest wins, also where its device saw the same value come from another`(isSeen: Bool) {
    var server = Server(SyncRules(), [1: .text("a")])
    var devices = (1...3).map { Device(server, site: $0) }
    devices[0].write(.text("b"), to: 1, now: 30)
    devices[1].write(.text("b"), to: 1, now: 10)
    devices[2].write(.text("c"), to: 1, now: 20)
    devices[1].push(to: &server)
    if isSeen { devices[0].pull(server) }
    for place in [2, 0] { devices[place].push(to: &server) }
    devices[2].pull(server)
    #expect(server.record.fields[1]?.value == .text("b") && devices[0].shown == server.record)
    #expect(devices[2].shown == server.record && devices.allSatisfy { $0.replica.isSynced })
  }

  @Test func `a row that was made and deleted before it was sent is not sent`() {
    var replica = SyncReplica(row: SyncRowID(entity: 1, site: 1, key: 1))
    var clock = SyncClock(site: 1)
    replica.insert([1: .text("a")], clock.stamp(now: 1))
    replica.write(.text("b"), to: 1, former: .text("a"), clock.stamp(now: 2))
    #expect(replica.pending?.kind == .insert && replica.pending?.fields[1]?.value == .text("b"))
    replica.delete(clock.stamp(now: 3))
    #expect(replica.isSynced)
  }

  @Test func `an edit that comes twice is one`() {
    for policy in [SyncMergePolicy.lastWriter, .counter, .set, .orderedList, .keepBoth] {
      var server = Server(SyncRules(policies: [1: policy]), [1: .integer(1)])
      var device = Device(server, site: 1)
      device.write(.integer(2), to: 1)
      guard let edit = device.replica.send() else { return }
      server.take(edit)
      let once = server.record
      server.take(edit)
      #expect(server.record == once && server.conflicts.isEmpty, "\(policy)")
    }
  }

  @Test func `of two values one is before the other, and of three the order is one`() {
    let values: [SyncValue] = [
      .null, .real(-.infinity), .integer(.min), .integer(-1), .integer(0), .real(0), .real(0.5), .integer(.max - 1),
      .integer(.max), .real(9_223_372_036_854_775_808), .real(.infinity), .text(""), .text("a"), .text("é"), .blob([]),
      .blob([1]), .row(SyncRowID(entity: 1, site: 1, key: 1)), .list([]), .list([.null]), .list([.integer(1)]),
    ]
    for (place, left) in values.enumerated() {
      for (other, right) in values.enumerated() {
        #expect(left.isBefore(right) == (place < other), "\(left) and \(right)")
      }
    }
  }

  @Test func `a list that nobody has edited since has its last edit in it, of which a deletion must know`() {
    let row = SyncRowID(entity: 1, site: 0, key: 1)
    let rules = SyncRules(policies: [1: .set], deletion: .editWins)
    func list(_ numbers: Int64...) -> SyncValue { .list(numbers.map { .integer($0) }) }
    func edit(_ value: SyncValue, from ancestor: SyncValue, base: Int64, _ stamp: SyncStamp) -> SyncEdit {
      let field = SyncFieldEdit(value: value, ancestor: ancestor, base: base, stamp: stamp)
      return SyncEdit(row: row, kind: .update, base: base, stamp: stamp, fields: [1: field])
    }
    let former = SyncField(value: list(1, 2), stamp: SyncStamp(time: 1 << 50, site: 1), sequence: 5)
    var record = SyncRecord(row: row, sequence: 5, fields: [1: former])
    let later = SyncStamp(time: 2 << 50, site: 1)
    record = edit(list(1, 2, 3), from: list(1, 2), base: 5, later).merged(into: record, rules, at: 6).record
    // One that only lost a row which is gone, alone and beside what others added.
    for base in [6, 5] as [Int64] {
      let left = edit(list(2, 3), from: list(1, 2, 3), base: base, .first(of: 1)).merged(into: record, rules, at: 7)
        .record
      let deletion = SyncEdit(row: row, kind: .delete, base: 5, stamp: SyncStamp(time: 3 << 50, site: 2))
      #expect(deletion.merged(into: left, rules, at: 8).record.deletion == nil)
      let knowing = SyncEdit(row: row, kind: .delete, base: 6, stamp: SyncStamp(time: 3 << 50, site: 2))
      #expect(knowing.merged(into: left, rules, at: 8).record.deletion != nil)
    }
  }
}
