import Foundation
import SyncMerge
import TestSupport
import Testing

/// Devices that edit one row, offline and at any time, against a plain list of what they did.
@Suite struct RandomMergeTests {
  private static let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 500

  @Test func `devices end with one row that has all that they did`() {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var counts = Program.Counts()
    for place in 0..<UInt64(Self.cases) {
      var program = Program(seed: seed &+ place)
      if let problem = program.run() {
        Issue.record("seed \(seed &+ place), ROOST_CASES=1: \(problem)")
        return
      }
      counts.add(program.counts)
    }
    // It tested something.
    #expect(counts.writes > Self.cases * 5 && counts.conflicts > Self.cases && counts.rebased > Self.cases / 4)
    #expect(counts.moved > Self.cases / 100)
  }
}

/// One random program.
private struct Program {
  struct Counts {
    var writes = 0
    var conflicts = 0
    var rebased = 0
    var moved = 0

    mutating func add(_ other: Counts) {
      writes += other.writes
      conflicts += other.conflicts
      rebased += other.rebased
      moved += other.moved
    }
  }

  /// What was done to a field, in the words of a user.
  private enum Deed {
    case wrote(SyncStamp, SyncValue, seen: Set<SyncStamp>)
    case added(Int64)
    case raised(Int64)
    case put(Int64)
    case took(Int64)
    case moved
  }

  private static let policies: [SyncMergePolicy] = [
    .lastWriter, .counter, .max, .min, .set, .orderedList, .keepBoth,
  ]
  private static let first: [SyncMergePolicy: SyncValue] = [
    .counter: .integer(100), .max: .integer(50), .min: .integer(50), .set: .list((1...4).map { .integer($0) }),
    .orderedList: .list((1...4).map { .integer($0) }),
  ]

  private var random: SeededRandom
  private var server: Server
  private var devices: [Device]
  /// What was sent and may still come.
  private var wire: [SyncEdit] = []
  private var deeds: [Int: [Deed]] = [:]
  private var next: Int64 = 1_000
  /// Whether users move the elements of ordered lists.
  private let isMoving: Bool
  private(set) var counts = Counts()

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    let policies = Dictionary(uniqueKeysWithValues: Self.policies.enumerated().map { ($0, $1) })
    let rules = SyncRules(policies: policies, deletion: seed % 2 == 0 ? .deletionWins : .editWins)
    let values = Self.policies.indices.reduce(into: SyncFields()) { $0[$1] = Self.first[Self.policies[$1]] ?? .null }
    let server = Server(rules, values)
    self.server = server
    devices = (1...Int.random(in: 2...4, using: &random)).map { Device(server, site: UInt64($0)) }
    isMoving = random.once(in: 4)
  }

  /// nil, or what is wrong.
  mutating func run() -> String? {
    for _ in 0..<Int.random(in: 5...40, using: &random) {
      let place = devices.indices.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<10, using: &random) {
      case 0: if let edit = devices[place].send() { wire.append(edit) }
      case 4: deliver()
      case 1:
        let hadEdits = devices[place].replica.pending != nil
        devices[place].pull(server)
        if hadEdits, devices[place].replica.pending != nil { counts.rebased += 1 }
      case 2: if let problem = push(place) { return problem }
      case 3 where random.once(in: 4): devices[place].delete(now: UInt64.random(in: 0..<1_000, using: &random))
      default: write(place)
      }
    }
    for place in devices.indices { if let problem = push(place) { return problem } }
    for place in devices.indices {
      devices[place].pull(server)
      if !devices[place].replica.isSynced { return "device \(place) has \(devices[place].replica) to send" }
      if devices[place].shown != server.record { return "device \(place) shows \(devices[place].shown)" }
    }
    counts.conflicts += server.conflicts.count + devices.reduce(0) { $0 + $1.conflicts.count }
    for (field, policy) in Self.policies.enumerated() {
      if let problem = problem(field, policy) { return "\(policy): \(problem)" }
    }
    return nil
  }

  /// The server gets something that was sent, which may come again.
  private mutating func deliver() {
    guard let place = wire.indices.randomElement(using: &random) else { return }
    server.take(wire[place])
    if random.once(in: 2) { wire.remove(at: place) }
  }

  /// What a device shows once it has seen the server's is what the server makes of it.
  private mutating func push(_ place: Int) -> String? {
    if Bool.random(using: &random) {
      devices[place].push(to: &server)
      return nil
    }
    devices[place].pull(server)
    let shown = devices[place].shown
    devices[place].push(to: &server)
    for (field, value) in server.record.fields where value.value != shown.fields[field]?.value {
      return "device \(place) showed \(shown.fields[field] as Any), and the server has \(value)"
    }
    let isDeleted = server.record.deletion != nil
    return isDeleted == (shown.deletion != nil)
      ? nil : "device \(place) showed the row otherwise than deleted: \(isDeleted)"
  }

  private mutating func write(_ place: Int) {
    let field = Int.random(in: 0..<Self.policies.count, using: &random)
    let shown = devices[place].shown.fields[field]
    // What a device wrote upon an edit of its own it has not seen more for.
    let (pending, sent) = (devices[place].replica.pending?.fields[field], devices[place].replica.sent?.fields[field])
    let isUpon = pending != nil || sent != nil && sent?.value == shown?.value
    let (now, number) = (UInt64.random(in: 0..<1_000, using: &random), Int64.random(in: -9...9, using: &random))
    next += 1
    var (value, deed) = (SyncValue.integer(next), Deed?.none)
    switch (Self.policies[field], shown?.value) {
    case (.counter, .integer(let count)): (value, deed) = (.integer(count + number), .added(number))
    case (.max, .integer(let largest)): (value, deed) = (.integer(max(largest, 50 + number)), .raised(50 + number))
    case (.min, .integer(let least)): (value, deed) = (.integer(min(least, 50 + number)), .raised(50 + number))
    case (.set, .list(var elements)), (.orderedList, .list(var elements)):
      if number < 0, let index = elements.indices.randomElement(using: &random) {
        if case .integer(let taken) = elements.remove(at: index) { deed = .took(taken) }
      } else if isMoving, number < 4, Self.policies[field] == .orderedList, elements.count > 1 {
        elements.insert(elements.remove(at: random.below(elements.count)), at: random.below(elements.count))
        (deed, counts.moved) = (.moved, counts.moved + 1)
      } else {
        elements.insert(.integer(next), at: Int.random(in: 0...elements.count, using: &random))
        deed = .put(next)
      }
      value = .list(elements)
    // Several devices write the same.
    case (.lastWriter, _): value = .integer(next % 3)
    default: break
    }
    devices[place].write(value, to: field, now: now)
    counts.writes += 1
    guard let stamp = devices[place].shown.fields[field]?.stamp else { return }
    let upon = devices[place].pendingStamps[field].flatMap { isUpon ? $0 : nil }
    devices[place].pendingStamps[field] = stamp
    let seen = upon.map { [$0] } ?? shown.map { Set($0.others.map(\.stamp) + [$0.stamp]) } ?? []
    deeds[field, default: []].append(deed ?? .wrote(stamp, value, seen: seen))
  }

  private func problem(_ field: Int, _ policy: SyncMergePolicy) -> String? {
    let (deeds, final) = (deeds[field] ?? [], server.record.fields[field])
    if deeds.isEmpty { return nil }
    switch (policy, final?.value) {
    case (.counter, let value):
      let sum = deeds.reduce(Int64(100)) { if case .added(let number) = $1 { $0 + number } else { $0 } }
      return value == .integer(sum) ? nil : "\(value as Any) is not \(sum)"
    case (.max, let value), (.min, let value):
      let all: [Int64] = [50] + deeds.compactMap { if case .raised(let number) = $0 { number } else { nil } }
      let expected = policy == .max ? all.max() : all.min()
      return value == expected.map { .integer($0) } ? nil : "\(value as Any) is not \(expected as Any)"
    case (.set, .list(let elements)), (.orderedList, .list(let elements)):
      var expected: Set<SyncValue> = Set((1...4).map { .integer($0) })
      for deed in deeds { if case .put(let number) = deed { expected.insert(.integer(number)) } }
      for deed in deeds { if case .took(let number) = deed { expected.remove(.integer(number)) } }
      if Set(elements) != expected || elements.count != expected.count { return "\(elements) are not \(expected)" }
      let old = elements.filter { $0.isBefore(.integer(5)) }
      return policy == .set || isMoving || old == old.sorted { $0.isBefore($1) }
        ? nil : "\(elements) are in another order"
    default:
      let writes = deeds.compactMap { deed -> (stamp: SyncStamp, value: SyncValue, seen: Set<SyncStamp>)? in
        if case .wrote(let stamp, let value, let seen) = deed { (stamp, value, seen) } else { nil }
      }
      guard let last = writes.max(by: { $0.stamp < $1.stamp }) else { return "nothing was written" }
      if final?.value != last.value { return "\(final as Any) is not \(last)" }
      let superseded = writes.reduce(into: Set<SyncStamp>()) { $0.formUnion($1.seen) }
      let open = Set(writes.map(\.stamp)).subtracting(superseded)
      let kept = Set((final?.others ?? []).map(\.stamp) + [last.stamp])
      return policy == .lastWriter || kept == open ? nil : "\(kept) are kept, not \(open)"
    }
  }
}
