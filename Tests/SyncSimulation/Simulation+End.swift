import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import TestSupport

// The end: everything works again, and nothing may be left to do.
extension Simulation {
  /// Has everything delivered. Returns what is wrong then; nil for nothing.
  mutating func finish() throws -> String? {
    try calm()
    if let problem = try deliverAll() ?? difference(hasReference: true) { return problem }
    // Programs that have not yet are updated, and a device is bought.
    for device in devices where device.machine.version != LibraryV3.self || !device.machine.unsynced.isEmpty {
      try restart(device, LibraryV3.self)
      for _ in 0..<random.below(4) { try edit(device, isUndisturbed: true) }
    }
    for user in Set(devices.map(\.user)).sorted() {
      try addDevice(at: folder.store("new-\(user)"), LibraryV3.self, site: random.next() | 1, user: user)
    }
    // From here on cards are synced as a whole by all.
    if let problem = try deliverAll() ?? difference(hasReference: true, hasCards: true) { return problem }
    if random.once(in: 2), let problem = try editAlone(isWhole: false) { return problem }
    return try editAlone(isWhole: true)
  }

  /// Has one user go on while nobody else does anything: all end with what that user left. Returns what is wrong then.
  ///
  /// `isWhole`: whether all goes in one push. What goes in parts may leave a row that was deleted: the server has not
  /// heard yet of all that let go of it.
  private mutating func editAlone(isWhole: Bool) throws -> String? {
    edits.passesNamesOn = isWhole
    if !isWhole || server.setUsualLimits() {
      for device in devices {
        // What an undo would do again may be of a time when names were passed on.
        device.machine.context.undoManager = nil
        device.beginAnew()
      }
      if let problem = try deliverAll() { return problem }
    }
    let device = random.pick(devices)
    for _ in 0..<4 {
      try device.machine.atItsTime { try edits.edit(device.machine) }
      try trace("\(name(device)) alone: \(device.machine.dump())")
      device.take(.localChange)
    }
    var (left, own) = (try device.machine.contents(.later), try device.machine.localValues())
    if let problem = try deliverAll() ?? difference(hasReference: false) { return problem }
    var (shown, kept) = (try device.machine.contents(.later), try device.machine.localValues())
    if !isWhole {
      // Nor does it refer to others, or others to it.
      let more = shown.keys.filter { left[$0] == nil }.compactMap { $0.split(separator: " ").last.map(String.init) }
      shown = shown.filter { left[$0.key] != nil }.mapValues { Self.value($0, without: Set(more)) }
      left = left.mapValues { Self.value($0, without: []) }
      kept = kept.filter(Set(own).contains)
    }
    if kept != own { return "\(name(device)) lost values that are not synced: \(own) — \(kept)" }
    if shown == left { return nil }
    return "\(name(device)) shows what its user did not leave:\n\(Self.difference(left, shown))"
  }

  /// What a row has, as JSON, with none of some others' names in its lists, and nothing in place of one by itself.
  private static func value(_ json: String, without names: Set<String>) -> String {
    let parts = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [Any]
    let rest: [Any]? = parts?.map { part in
      func isMeant(_ value: Any) -> Bool { (value as? String).map(names.contains) ?? false }
      if let list = part as? [Any] { return list.filter { !isMeant($0) } }
      return isMeant(part) ? NSNull() : part
    }
    let data = rest.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
    return data.map { String(decoding: $0, as: UTF8.self) } ?? json
  }

  /// Ends all that is wrong.
  private mutating func calm() throws {
    late = []
    for device in devices {
      device.disk.repair()
      (device.clockError, device.unreachableUntil) = (0, 0)
      device.setTime(now)
      // What was asked before has no answer.
      if let exchange = device.exchange, exchange.answer == nil {
        device.exchange?.answer = .failure(SyncServiceError.unreachable("the network is gone"))
      }
      device.take(.resume)
      device.take(.look)
    }
  }

  /// Carries everything, and lets time pass. Nothing but what the devices and the server do by themselves happens.
  mutating func deliverAll() throws -> String? {
    let deadline = now + 20 * 60_000
    // So many that a device which asks for ever is found.
    var requests = 0
    while now < deadline, requests < 2_000 {
      var isMoving = false
      for device in devices {
        device.setTime(now)
        device.wake()
        while device.hasWork { device.process(&random) }
        guard let exchange = device.exchange else { continue }
        isMoving = true
        requests += 1
        if exchange.answer == nil {
          let answer = askCalmly(exchange.request, device.user)
          trace("\(name(device)) asks \(exchange.request)\n  -> \(answer)")
          device.exchange?.answer = answer
        } else {
          device.takeAnswer()
        }
      }
      if isMoving || devices.contains(where: \.hasWork) { continue }
      if try devices.allSatisfy({ try isDone($0) }) { return nil }
      for device in devices where device.isOfOtherAccount { try chooseAccount(device) }
      // What was refused as too large waits until then, also where the device heard so after its session began.
      for device in devices where try device.machine.synced.counts().tooLarge > 0 { device.beginAnew() }
      if devices.contains(where: \.hasWork) { continue }
      guard let next = devices.compactMap(\.timer).min() else { break }
      now = max(now, next)
    }
    return try stall()
  }

  private mutating func askCalmly(_ request: SyncRequest, _ user: String) -> Result<SyncAnswer, any Error> {
    let before = server.zone(user).storage.place
    let answer = Result {
      try server.answer(request, of: user, identity: random.next() | 1, pageLimit: 100, now: now)
    }
    let place = server.zone(user).storage.place
    if place != before { for device in devices where device.user == user { device.take(.head(place.sequence)) } }
    return answer
  }

  private func isDone(_ device: SimulatedDevice) throws -> Bool {
    try device.core.isIdle && device.machine.isDone(server.zone(device.user))
  }

  private func stall() throws -> String {
    for device in devices { try trace(device.machine.dump()) }
    let states = try devices.map { device in
      "\(name(device)): \(device.core), \(try device.machine.synced.counts()), \(try device.machine.synced.hello().pulled), "
        + "\(device.failure.map { "\($0)" } ?? "no failure")"
    }
    return "there is no end: \(states.joined(separator: "; "))"
  }

  // MARK: - What came of it

  private func difference(hasReference: Bool, hasCards: Bool = false) throws -> String? {
    for (user, devices) in Dictionary(grouping: devices, by: \.user).sorted(by: { $0.key < $1.key }) {
      let areLater = devices.map(\.machine.isLater)
      let isOneVersion = devices.allSatisfy { $0.machine.version == devices[0].machine.version }
      let hasAll = areLater[0] && isOneVersion && devices.allSatisfy(\.machine.unsynced.isEmpty)
      let view = hasAll ? LibraryView.later : areLater.contains(true) ? .common : .first
      let sold = try devices.reduce(into: Set<String>()) { try $0.formUnion($1.machine.soldCopies()) }
      let hasNotes = devices.allSatisfy { !$0.machine.unsynced.contains("Note") }
      let shown = try devices.map { try $0.machine.contents(view, besides: sold, hasNotes: hasNotes) }
      for (device, contents) in zip(devices, shown) where contents != shown[0] {
        for device in devices { try trace(device.machine.dump()) }
        trace("the server has \(server.zone(user).storage.rows.values.map { "\n   \($0)" })")
        return "\(name(devices[0])) and \(name(device)) differ:\n\(Self.difference(shown[0], contents))"
      }
      for device in devices {
        let problem = try device.machine.damage() ?? device.machine.heldDifference() ?? differenceFromServer(device)
        if let problem { return problem }
      }
      if let problem = clockProblem(user) { return problem }
      if hasReference, faults == .outside, let problem = try orderProblem() ?? localProblem() { return problem }
      if hasReference, faults == .outside, let problem = try problem(devices[0], user, hasCards: hasCards) {
        return problem
      }
    }
    return nil
  }

  /// What of a device the digests say is not what the server has, now or before; nil for nothing.
  private func differenceFromServer(_ device: SimulatedDevice) throws -> String? {
    let digest = try server.zone(device.user).digest()
    guard let models = try device.machine.synced.differences(from: digest) else {
      // The other program on the file began last, and has no numbers for what it leaves out.
      let unsynced = device.machine.unsynced
      if others(beside: device).contains(where: { !$0.machine.unsynced.isSubset(of: unsynced) }) { return nil }
      return "\(name(device)) cannot be compared with the server"
    }
    let differing = models + device.differing
    if differing.isEmpty { return nil }
    try trace(device.machine.dump())
    trace("the server has \(server.zone(device.user).storage.rows.values.map { "\n   \($0)" })")
    return "\(name(device)) has not what the server has: \(models) now, \(device.differing) before"
  }

  /// What was not decided by who wrote last; nil for nothing.
  private func orderProblem() throws -> String? {
    if let conflict = server.wronglyWon.first { return "the earlier value has won: \(conflict)" }
    return server.early.first.map { "it is of before what its device had seen: \($0)" }
  }

  /// What of a device alone another one has; nil for nothing.
  private func localProblem() throws -> String? {
    for device in devices {
      let opened = isOpened[device.machine.url] ?? []
      let open = try device.machine.localValues().filter { $0.hasSuffix(" 1") }.compactMap {
        $0.split(separator: " ").first
      }
      if let book = open.first(where: { !opened.contains(String($0)) }) {
        return "\(name(device)) has \(book) open, which nobody opened there"
      }
    }
    return nil
  }

  /// What a wrong clock has left at the server; nil for nothing.
  private func clockProblem(_ user: String) -> String? {
    let last = SyncStamp(time: (now + 60_000) << 16, site: .max)
    let wrong = server.zone(user).storage.rows.values.first { record in
      record.fields.values.contains { $0.stamp > last } || record.deletion.map { $0.stamp > last } ?? false
    }
    return wrong.map { "the server has what is from later than now: \($0)" }
  }

  private func problem(_ device: SimulatedDevice, _ user: String, hasCards: Bool) throws -> String? {
    let records = server.zone(user).storage.rows.values
    let lost = families.problem(with: try device.machine.families()) { member in
      records.contains { $0.fields.values.contains { $0.value == .text(member) } }
    }
    if let lost { return lost }
    let met = try devices.reduce(into: Set<SyncRowID>()) { try $0.formUnion($1.machine.rowsToldOf()) }
    let rows = try device.machine.rows().filter { hasCards || !$0.key.hasPrefix("card ") }
    let journals = devices.reduce(into: Set<String>()) { $0.formUnion($1.machine.toldValues()) }
    return reference.problem(with: rows, journals, hasCards: hasCards) { name in
      // Its deletion met an edit, of which the journal tells.
      let code = SyncValue.text(String(name.split(separator: " ")[1]))
      return records.contains { record in
        record.deletion != nil && met.contains(record.row) && record.fields.values.contains { $0.value == code }
      }
    }
  }

  static func difference(_ left: [String: String], _ right: [String: String]) -> String {
    Set(left.keys).union(right.keys).sorted().filter { left[$0] != right[$0] }
      .map { "\($0): \(left[$0] ?? "nothing") — \(right[$0] ?? "nothing")" }.joined(separator: "\n")
  }
}

extension SimulatedDevice {
  /// Whether it waits for somebody to say what becomes of its rows.
  var isOfOtherAccount: Bool {
    if case .blocked(let reason) = core.phase { reason.contains("useAccount") } else { false }
  }
}
