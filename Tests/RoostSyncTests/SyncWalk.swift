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
  private var savedDevices: [(URL, Int)] = []
  private(set) var conflicts = 0

  /// Whether counters can be told exactly: not once data was put back, or a device was copied.
  private var isExact = true
  /// Older copies of the server's data.
  private var backups: [SyncZone<MemoryZone>] = []
  private var serverTime: UInt64 = 1_800_000_000_000
  private(set) var faults = 0

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    folder = try Folder()
    for number in 1...2 + random.below(2) {
      machines.append(try Machine(UInt64(number), at: folder.store("\(number)")))
    }
  }

  /// - Parameters:
  ///   - steps: how many things are done.
  ///   - hasFaults: whether data is put back, devices are copied, and clocks go wrong.
  /// - Throws: what a store or the zone does.
  mutating func run(steps: Int, hasFaults: Bool = false) throws {
    for machine in machines { try machine.begin(&zone) }
    for _ in 0..<steps {
      let place = random.below(machines.count)
      serverTime += UInt64(random.below(5_000))
      machines[place].now = max(machines[place].now, serverTime)
      if hasFaults, random.once(in: 15) {
        try fault(place)
      } else if random.once(in: 3) {
        try recovering(place) { try $0.sync(place) }
      } else {
        try edit(place)
      }
    }
  }

  private static let traces = ProcessInfo.processInfo.environment["ROOST_TRACE"] != nil

  private func trace(_ text: @autoclosure () throws -> String) rethrows {
    if Self.traces { print("TRACE", try text().replacingOccurrences(of: "SyncMerge.", with: "")) }
  }

  // MARK: - Faults

  private mutating func fault(_ place: Int) throws {
    faults += 1
    let machine = machines[place]
    switch random.below(6) {
    case 0: backups.append(zone)
    case 1:
      guard let backup = backups.popLast() else { return }
      trace("the server's data is that of \(backup.storage.place.sequence) again")
      zone = backup
      isExact = false
    case 2:
      guard machines.count < 4 else { return }
      let copy = folder.store("copy\(faults)")
      try machine.copy(to: copy)
      machines.append(try Machine(0, random: random.next(), at: copy))
      trace("device \(machines.count) is a copy of \(place + 1)")
      isExact = false
    case 3:
      guard let (saved, of) = savedDevices.popLast() else {
        let copy = folder.store("saved\(faults)")
        try machine.copy(to: copy)
        return savedDevices.append((copy, place))
      }
      trace("device \(of + 1) is what it was")
      try machines[of].container.close()
      machines[of] = try Machine(0, random: random.next(), at: saved)
      isExact = false
    default:
      // Years ahead, or behind.
      machine.now = serverTime &+ UInt64(random.below(3)) * 90_000_000_000 &- UInt64(random.below(2)) * 60_000_000_000
    }
  }

  /// Does something with the server, and what its errors ask for.
  private mutating func recovering(_ place: Int, _ body: (inout SyncWalk) throws -> Void) throws {
    do {
      try body(&self)
    } catch let error as SyncZoneError {
      trace("device \(place + 1): \(error)")
      let machine = machines[place]
      switch error {
      case .otherPush:
        try machine.synced.takeSite(random.next(), now: machine.now)
        try recovering(place) { try $0.machines[place].begin(&$0.zone) }
      case .clockAhead(let now):
        machine.now = now
        try machine.synced.setClock(to: now)
      default: try recovering(place) { try $0.machines[place].begin(&$0.zone) }
      }
    }
  }

  // MARK: - The network

  private mutating func sync(_ place: Int) throws {
    let machine = machines[place]
    switch random.below(8) {
    case 0: try machine.begin(&zone)
    case 1:
      // The program ends, and starts again.
      machines[place] = try machine.reopened(random: random.next())
    case 2, 3, 4:
      guard let push = try machine.synced.nextPush(identity: random.next(), now: machine.now) else { return }
      if random.once(in: 4) { return lost += 1 }
      let answer = try take(push)
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

  private mutating func take(_ push: SyncPush) throws -> SyncPushAnswer {
    let answer = try zone.take(push, now: serverTime)
    conflicts += answer.conflicts.count
    for conflict in answer.conflicts where conflict.field == nil { meetings.insert(conflict.row) }
    trace("takes \(push)\n  -> \(answer)")
    return answer
  }

  /// Has everything delivered, until nothing is left. Returns what is wrong then.
  mutating func finish() throws -> String? {
    for _ in 0..<12 {
      for place in machines.indices {
        serverTime += 10_000
        machines[place].now = max(machines[place].now, serverTime)
        try recovering(place) { try $0.syncAll(place) }
      }
      if try machines.allSatisfy({ try $0.isDone(zone) }) { return try problem() }
    }
    for machine in machines { try trace(machine.dump()) }
    trace("the server has \(zone.storage.rows.values.map { "\n   \($0)" })")
    return "there is no end: \(try machines.map { "\(try $0.synced.counts())" }.joined(separator: "; "))"
  }

  private mutating func syncAll(_ place: Int) throws {
    let machine = machines[place]
    try machine.begin(&zone)
    while let push = try machine.synced.nextPush(identity: random.next(), now: machine.now) {
      try machine.synced.receive(try take(push), now: machine.now)
    }
    try machine.pull(zone)
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
      for machine in machines { try trace(machine.dump()) }
      return "device 1 and device \(place + 1) differ:\n\(Self.difference(shown[0], contents))"
    }
    for machine in machines { if let problem = try machine.damage() { return problem } }
    let rows = zone.storage.rows.values.filter { $0.deletion == nil }
    if rows.count != shown[0].count { return "the server has \(rows.count) rows, and the devices \(shown[0].count)" }
    if !isExact { return nil }
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
