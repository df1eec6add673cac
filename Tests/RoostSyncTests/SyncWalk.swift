import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostSQL
import RoostSync
import SyncMerge
import TestSupport

/// Devices whose users do this and that, a server, and a network between them that loses what it carries.
struct SyncWalk {
  private(set) var machines: [Machine] = []
  private(set) var zone = SyncZone(MemoryZone(SyncRegistry()))
  private var random: SeededRandom
  private let folder: Folder
  private var nextCode = 0
  /// What users added to the counter of each book.
  private var loans: [String: Int] = [:]
  private var inserted: Set<String> = []
  private var deleted: Set<String> = []
  /// The rows that were deleted and edited.
  private var meetings: Set<SyncRowID> = []
  private(set) var edits = 0
  private(set) var lost = 0
  private(set) var conflicts = 0

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    folder = try Folder()
    for number in 1...2 + random.below(2) {
      machines.append(try Machine(UInt64(number), at: folder.store("\(number)")))
    }
  }

  mutating func run(steps: Int) throws {
    for machine in machines { try machine.begin(&zone) }
    for _ in 0..<steps {
      let place = random.below(machines.count)
      machines[place].now += UInt64(random.below(5_000))
      if random.once(in: 3) { try sync(place) } else { try edit(place) }
    }
  }

  private static let traces = ProcessInfo.processInfo.environment["ROOST_TRACE"] != nil

  private func trace(_ text: @autoclosure () throws -> String) rethrows {
    if Self.traces { print("TRACE", try text().replacingOccurrences(of: "SyncMerge.", with: "")) }
  }

  // MARK: - The network

  private mutating func sync(_ place: Int) throws {
    let machine = machines[place]
    switch random.below(8) {
    case 0: try machine.begin(&zone)
    case 1:
      // The program ends, and starts again.
      machines[place] = try machine.reopened()
    case 2, 3, 4:
      guard let push = try machine.synced.nextPush(identity: random.next(), now: machine.now) else { return }
      if random.once(in: 4) { return lost += 1 }
      let answer = try take(push, machine)
      if random.once(in: 4) { return lost += 1 }
      try machine.synced.receive(answer, now: machine.now)
    default:
      let place = try machine.synced.pagePlace()
      let page = try zone.page(behind: place.cursor, seen: place.seen, for: place.site, limit: 1 + random.below(6))
      if random.once(in: 5) { return lost += 1 }
      trace("device \(place.site) reads \(page)")
      try machine.synced.receive(page, now: machine.now)
    }
  }

  private mutating func take(_ push: SyncPush, _ machine: Machine) throws -> SyncPushAnswer {
    let answer = try zone.take(push, now: machine.now + 60_000_000)
    conflicts += answer.conflicts.count
    for conflict in answer.conflicts where conflict.field == nil { meetings.insert(conflict.row) }
    trace("takes \(push)\n  -> \(answer)")
    return answer
  }

  /// Has everything delivered, until nothing is left. Returns what is wrong then.
  mutating func finish() throws -> String? {
    for _ in 0..<12 {
      for machine in machines {
        machine.now += 10_000
        try machine.begin(&zone)
        while let push = try machine.synced.nextPush(identity: random.next(), now: machine.now) {
          try machine.synced.receive(try take(push, machine), now: machine.now)
        }
        try machine.pull(zone)
      }
      if try machines.allSatisfy({ try $0.isDone(zone) }) { return try problem() }
    }
    for machine in machines {
      try trace(
        machine.container.store.pool.read { connection in
          try connection.strings("SELECT entity || ' ' || site || ' ' || key || ' ' || sequence FROM _roost_sync_inbox")
            + connection.strings(
              "SELECT entity || ' pk ' || pk || ' site ' || site || ' ' || key || ' seq ' || sequence FROM _roost_sync_row"
            ) + connection.strings("SELECT 'author ' || _pk || ' ' || name FROM Author")
        }.joined(separator: "\n"))
    }
    trace("the server has \(zone.storage.rows.values.map { "\n   \($0)" })")
    return "there is no end: \(try machines.map { "\(try $0.synced.counts())" }.joined(separator: "; "))"
  }

  // MARK: - Users

  private mutating func edit(_ place: Int) throws {
    let machine = machines[place]
    let before = try machine.books()
    try SyncEdits.edit(machine, &random, &nextCode)
    let after = try machine.books()
    edits += 1
    trace(
      "device \(place + 1): \(after.filter { before[$0.key] != $0.value }), gone \(before.keys.filter { after[$0] == nil })"
    )
    for (code, count) in after {
      loans[code, default: 0] += count - (before[code] ?? 0)
      if before[code] == nil { inserted.insert(code) }
    }
    deleted.formUnion(before.keys.filter { after[$0] == nil })
  }

  // MARK: - The end

  private func problem() throws -> String? {
    let shown = try machines.map { try $0.contents() }
    for (place, contents) in shown.enumerated() where contents != shown[0] {
      trace("the server has \(zone.storage.rows.values)")
      for machine in machines {
        trace(
          try! machine.context.rows(sql: "SELECT code, _author_position, _pk, author FROM Book").map { "\($0)" }.joined(
            separator: "\n"))
      }
      return "device 1 and device \(place + 1) differ:\n\(Self.difference(shown[0], contents))"
    }
    for machine in machines { if let problem = try machine.damage() { return problem } }
    let rows = zone.storage.rows.values.filter { $0.deletion == nil }
    if rows.count != shown[0].count { return "the server has \(rows.count) rows, and the devices \(shown[0].count)" }
    let books = try machines[0].books()
    // What a user added to a book and then deleted is nobody's any more, also if the book comes back.
    for (code, count) in books where count != loans[code] && !deleted.contains(code) {
      return "\(code) has \(count) loans, and users made \(loans[code] ?? 0)"
    }
    for code in inserted where books[code] == nil && !deleted.contains(code) {
      let record = zone.storage.rows.values.first { $0.fields.values.contains { $0.value == .text(code) } }
      // Its author was deleted elsewhere, of which the journal tells.
      if let record, record.deletion != nil, meetings.contains(record.row) { continue }
      return "\(code) is gone, and nobody deleted it: \(record as Any)"
    }
    return nil
  }

  private static func difference(_ left: [String: String], _ right: [String: String]) -> String {
    Set(left.keys).union(right.keys).sorted().filter { left[$0] != right[$0] }
      .map { "\($0): \(left[$0] ?? "nothing") — \(right[$0] ?? "nothing")" }.joined(separator: "\n")
  }
}
