package import SyncMerge

/// Devices with many rows and a server, on a wire that loses, repeats and delays what it carries both ways.
package struct ZoneSchedule<Storage: SyncZoneStorage> {
  private enum Message {
    case push(SyncPush)
    case answer(SyncPushAnswer)
    case ask(Int64)
    case page(SyncPage)
  }

  private var random: SeededRandom
  private var phones: [Phone]
  private var zone: SyncZone<Storage>
  private var wire: [(phone: Int, message: Message)] = []
  private var sums: [SyncRowID: Int64] = [:]
  private var serverConflicts = 0
  /// How many messages came again, or after later ones.
  package private(set) var late = 0

  /// `storage`: a zone's that has ``MemoryZone/counters``' registry.
  package init(_ storage: Storage, seed: UInt64) {
    zone = SyncZone(storage)
    random = SeededRandom(seed: seed)
    phones = (1...2 + random.below(3)).map { Phone(site: UInt64($0)) }
  }

  package mutating func run() throws {
    for _ in 0..<30 + random.below(300) {
      let place = random.below(phones.count)
      switch random.below(10) {
      case 0, 1, 2, 3: edit(place)
      case 4: if let push = phones[place].push() { wire.append((place, .push(push))) }
      case 5: wire.append((place, .ask(phones[place].cursor)))
      default: try deliver()
      }
    }
    // Then all is delivered, until there is nothing left to send.
    wire = []
    for _ in 0..<2 {
      for place in phones.indices {
        while let push = phones[place].push() { phones[place].receive(try take(push)) }
      }
      for place in phones.indices { try readAll(place) }
    }
  }

  /// Later than what nobody knows the time of, in milliseconds.
  private static var start: UInt64 { 1 << 40 }

  private mutating func edit(_ place: Int) {
    let now = Self.start + UInt64(random.below(1_000))
    let rows = phones[place].rows
    if rows.isEmpty || random.once(in: 20) { return phones[place].insert(now: now) }
    let row = random.pick(rows)
    switch random.below(8) {
    case 0: phones[place].delete(row, now: now)
    case 1, 2, 3: phones[place].write(.text("\(place) \(random.below(1_000))"), to: 2, of: row, now: now)
    default:
      guard case .integer(let count)? = phones[place].shown[row]?.fields[1]?.value else { return }
      let more = Int64(random.below(20)) - 10
      sums[row, default: 0] += more
      phones[place].write(.integer(count + more), to: 1, of: row, now: now)
    }
  }

  /// Something that is on its way comes, and may come again, or is lost.
  private mutating func deliver() throws {
    guard !wire.isEmpty else { return }
    let index = random.below(wire.count)
    let (place, message) = wire[index]
    if index > 0 { late += 1 }
    if random.once(in: 4) { late += 1 } else { wire.remove(at: index) }
    if random.once(in: 5) { return }
    switch message {
    case .push(let push):
      // One that was answered long ago is another's for the zone, and its answer is waited for by nobody.
      if let last = try zone.storage.lastPush(of: push.site), push.number < last.number { return }
      wire.append((place, .answer(try take(push))))
    case .answer(let answer): phones[place].receive(answer)
    case .ask(let cursor):
      let page = try zone.page(behind: cursor, for: phones[place].site, limit: 1 + random.below(3))
      wire.append((place, .page(page)))
    case .page(let page): phones[place].receive(page)
    }
  }

  private mutating func take(_ push: SyncPush) throws -> SyncPushAnswer {
    let answer = try zone.take(push, now: Self.start + 1_000)
    serverConflicts += answer.conflicts.count
    return answer
  }

  private mutating func readAll(_ place: Int) throws {
    while true {
      let page = try zone.page(behind: phones[place].cursor, for: phones[place].site, limit: 3)
      phones[place].receive(page)
      if page.isLast { return }
    }
  }

  /// How many rows the server has.
  package var rows: Int { get throws { try zone.storage.records(behind: 0, limit: .max).count } }

  private var rowsThere: Int64 {
    get throws { Int64(try zone.storage.records(behind: 0, limit: .max).count { $0.deletion == nil }) }
  }

  /// How many conflicts the server and the devices found.
  package var conflicts: Int { phones.reduce(serverConflicts) { $0 + $1.conflicts } }

  /// What is wrong at the end; nil if nothing is.
  package var problem: String? {
    get throws {
      if try zone.digest().rows.values.reduce(0, { $0 + $1.count }) != rowsThere {
        return "the digest counts other rows"
      }
      let records = try zone.storage.records(behind: 0, limit: .max)
      let known = Set(records.map(\.row))
      for phone in phones {
        if !phone.isSynced { return "device \(phone.site) has something to send still" }
        for record in records where phone.shown[record.row] != record.told {
          return "device \(phone.site) shows \(phone.shown[record.row] as Any), and the server has \(record)"
        }
        for row in phone.rows where !known.contains(row) {
          return "device \(phone.site) shows \(row), which the server lacks"
        }
      }
      for record in records {
        let sum = SyncValue.integer(sums[record.row] ?? 0)
        if let count = record.fields[1]?.value, count != sum { return "\(record.row) counts \(count), not \(sum)" }
      }
      return nil
    }
  }
}
