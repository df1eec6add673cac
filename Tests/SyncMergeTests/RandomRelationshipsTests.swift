import Foundation
import SyncMerge
import TestSupport
import Testing

/// Whatever devices do to rows that refer to each other, neither knowing of the others: the server
/// keeps what holds for rows together.
@Suite struct RandomRelationshipsTests {
  private static let cases = ProcessInfo.processInfo.environment["ROOST_CASES"].flatMap { Int($0) } ?? 2_000

  @Test func `a server keeps relationships, unique values and what rows must have, whatever it is sent`() throws {
    let seed = SeededRandom.seed
    print("ROOST_SEED=\(seed)")
    var counts = Schedule.Counts()
    for place in 0..<UInt64(Self.cases) {
      var schedule = Schedule(seed: seed &+ place)
      if let problem = try schedule.run() {
        Issue.record("ROOST_SEED=\(seed &+ place) ROOST_CASES=1: \(problem)")
        return
      }
      counts.add(schedule.counts)
    }
    print("\(counts)")
    // It tested something.
    #expect(counts.stale > Self.cases && counts.deletions > Self.cases && counts.returns > Self.cases / 20)
    #expect(counts.later > Self.cases / 4 && counts.merged > Self.cases / 40)
  }

  /// Devices that save, send, and fetch now and then.
  private struct Schedule {
    struct Counts {
      var stale = 0
      var deletions = 0
      var returns = 0
      /// Later programs, and the rows that became one as such a program began.
      var later = 0
      var merged = 0

      mutating func add(_ other: Counts) {
        (stale, deletions, returns) = (stale + other.stale, deletions + other.deletions, returns + other.returns)
        (later, merged) = (later + other.later, merged + other.merged)
      }
    }

    private struct Site {
      var clock: SyncClock
      var lastPush: Int64 = 0
      var nextKey: Int64 = 1
      /// What was saved and is still to be sent, push by push.
      var waiting: [[SyncEdit]] = []
      /// The rows as they were fetched last, those that are gone too.
      var fetched: [SyncRowID: SyncRecord] = [:]
      var cursor: Int64 = 0
      /// Those of its program.
      var classes: RelatedRows

      /// What it shows.
      var rows: RelatedRows.Rows {
        fetched.compactMapValues { $0.deletion == nil ? $0.fields.mapValues(\.value) : nil }
      }
    }

    /// Those of the latest program.
    private var classes: RelatedRows
    private var zone: SyncZone<MemoryZone>
    private var sites: [Site]
    private var random: SeededRandom
    private var now: UInt64 = 1 << 41
    private let isTraced = ProcessInfo.processInfo.environment["ROOST_TRACE"] != nil
    private(set) var counts = Counts()

    init(seed: UInt64) {
      random = SeededRandom(seed: seed)
      classes = RelatedRows(&random)
      var registry = SyncRegistry()
      _ = registry.register(classes.schema)
      zone = SyncZone(MemoryZone(registry))
      let first = classes
      sites = (1...3).map { Site(clock: SyncClock(site: $0), classes: first) }
      trace("\(classes.schema)")
    }

    mutating func run() throws -> String? {
      for _ in 0..<60 {
        now += UInt64(random.below(1_000))
        let site = random.below(sites.count)
        if classes.schema.version.isEmpty, random.once(in: 100) {
          if let problem = try beginLater() { return problem }
        } else if random.once(in: 10), sites[site].waiting.isEmpty {
          sites[site].classes = classes
        }
        // What a device has saved it may send much later, behind what others saved after it.
        if sites[site].waiting.isEmpty {
          if random.once(in: 3) { try fetch(site) }
          save(site)
        } else if random.once(in: 2), let problem = try send(site) {
          return problem
        }
      }
      for site in sites.indices {
        try fetch(site)
        let differing = zone.storage.rows.values.filter { $0.told != sites[site].fetched[$0.row] }
        if let row = differing.first { return "\(RelatedRows.name(row.row)) changed, and devices are not told" }
      }
      return nil
    }

    /// Has a device begin with a later program. Returns what is wrong with what the server makes of it.
    private mutating func beginLater() throws -> String? {
      classes = classes.later(&random)
      trace("\(classes.schema)")
      let before = zone.storage.rows
      _ = try zone.begin(SyncHello(zone: "z", site: UInt64(sites.count + 1), schema: classes.schema), now: now)
      counts.later += 1
      counts.merged += zone.storage.rows.values.filter { $0.deletion != nil && before[$0.row]?.deletion == nil }.count
      return classes.problem(with: zone.storage.rows)
    }

    private mutating func fetch(_ site: Int) throws {
      while true {
        let page = try zone.page(behind: sites[site].cursor, for: UInt64(site + 1), limit: 1 + random.below(20))
        for record in page.records where record.sequence >= sites[site].fetched[record.row]?.sequence ?? 0 {
          sites[site].fetched[record.row] = record
          for field in record.fields.values { sites[site].clock.see(field.stamp) }
        }
        sites[site].cursor = page.cursor
        if page.isLast { return }
      }
    }

    /// Edits some rows, to be sent in one push or two.
    private mutating func save(_ site: Int) {
      let shown = sites[site].rows
      var rows = shown
      for _ in 0..<1 + random.below(5) { edit(site, &rows) }
      let edits = edits(site, shown, rows) + broughtBack(site) + sentAgain(site, rows)
      sites[site].waiting = parts(of: edits).filter { !$0.isEmpty }
    }

    /// A row that is gone, and that somebody wants back.
    private mutating func broughtBack(_ site: Int) -> [SyncEdit] {
      let gone = sites[site].fetched.values.filter { $0.deletion != nil && $0.deletion?.mergedInto == nil }
      guard random.once(in: 6), let record = gone.sorted(by: { $0.row < $1.row }).randomElement(using: &random)
      else { return [] }
      let stamp = sites[site].clock.stamp(now: now)
      return [SyncEdit(row: record.row, kind: .update, base: record.sequence, stamp: stamp)]
    }

    /// A row with all that a device shows of it, as to a server that may have lost it. The
    /// device did nothing else to it.
    private mutating func sentAgain(_ site: Int, _ rows: RelatedRows.Rows) -> [SyncEdit] {
      let same = rows.filter { sites[site].rows[$0.key] == $0.value }
      guard random.once(in: 8), let (row, values) = same.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
      else { return [] }
      var replica = SyncReplica(row: row, sequence: sites[site].fetched[row]?.sequence ?? 0)
      let common = random.once(in: 2) ? 0 : Int64(random.below(Int(replica.sequence) + 1))
      replica.sendAnew(values, common: common, sites[site].clock.stamp(now: now))
      return replica.pending.map { [$0] } ?? []
    }

    /// Sends one push of what waits. Returns what is wrong with what the server makes of it.
    private mutating func send(_ site: Int) throws -> String? {
      if sites[site].cursor < zone.storage.place.sequence { counts.stale += 1 }
      let edits = sites[site].waiting.removeFirst()
      sites[site].lastPush += 1
      let before = zone.storage.rows
      trace("device \(site + 1) sends \(edits.map { Self.describe($0) }.joined(separator: "; "))")
      _ = try zone.take(SyncPush(site: UInt64(site + 1), number: sites[site].lastPush, edits: edits), now: now)
      for record in zone.storage.rows.values.sorted(by: { $0.sequence < $1.sequence })
      where record != before[record.row] {
        trace("  \(Self.describe(record))")
        if record.deletion == nil, before[record.row]?.deletion != nil { counts.returns += 1 }
      }
      if sites[site].waiting.isEmpty { try fetch(site) }
      return classes.problem(with: zone.storage.rows) ?? classes.problem(with: zone.storage.rows, after: before)
    }

    private mutating func edit(_ site: Int, _ rows: inout RelatedRows.Rows) {
      let classes = sites[site].classes
      let row = rows.keys.sorted().randomElement(using: &random)
      let before = rows
      defer { if classes.hasDoubles(rows) { rows = before } }
      switch (random.below(5), row) {
      case (0, let row?): if classes.delete(row, from: &rows) { counts.deletions += 1 }
      case (1, let row?): classes.rename(row, in: &rows, &random)
      case (2, let row?), (3, let row?): _ = classes.link(row, in: &rows, &random)
      default:
        let new = SyncRowID(
          entity: 1 + random.below(classes.schema.entities.count), site: UInt64(site + 1), key: sites[site].nextKey)
        sites[site].nextKey += 1
        _ = classes.insert(new, into: &rows, &random)
      }
    }

    /// What was done, as a device sends it: new rows, changes, and last what is gone.
    private mutating func edits(
      _ site: Int, _ before: RelatedRows.Rows, _ after: RelatedRows.Rows
    ) -> [SyncEdit] {
      var (inserts, updates, deletions): ([SyncEdit], [SyncEdit], [SyncEdit]) = ([], [], [])
      for (row, values) in after.sorted(by: { $0.key < $1.key }) {
        let former = before[row]
        let base = sites[site].fetched[row]?.sequence ?? 0
        let stamp = sites[site].clock.stamp(now: now)
        var edit = SyncEdit(row: row, kind: former == nil ? .insert : .update, base: base, stamp: stamp)
        for (field, value) in values where value != former?[field] ?? .null {
          let ancestor = former?[field] ?? .null
          let isNobodys = value == .null && sites[site].classes.isNobodys(field, of: row, was: ancestor, after)
          edit.fields[field] = SyncFieldEdit(
            value: value, ancestor: ancestor, base: base, stamp: isNobodys ? .first(of: UInt64(site + 1)) : stamp)
        }
        if former == nil { inserts.append(edit) } else if !edit.fields.isEmpty { updates.append(edit) }
      }
      let stamp = sites[site].clock.stamp(now: now)
      for row in before.keys.sorted() where after[row] == nil {
        let base = sites[site].fetched[row]?.sequence ?? 0
        var edit = SyncEdit(row: row, kind: .delete, base: base, stamp: stamp)
        // It was renamed before.
        if random.once(in: 4) {
          let name = SyncValue.text("n\(random.below(5))")
          edit.fields[1] = SyncFieldEdit(value: name, ancestor: before[row]?[1] ?? .null, base: base, stamp: stamp)
        }
        deletions.append(edit)
      }
      return inserts + updates.shuffled(using: &random) + deletions
    }

    /// In one push; in any order; or in two, of which the first has all new rows.
    private mutating func parts(of edits: [SyncEdit]) -> [[SyncEdit]] {
      switch random.below(4) {
      case 0: return [edits.shuffled(using: &random)]
      case 1:
        let inserts = edits.prefix { $0.kind == .insert }.count
        let cut = inserts + random.below(edits.count - inserts + 1)
        return [Array(edits.prefix(cut)), Array(edits.dropFirst(cut))]
      default: return [edits]
      }
    }

    private func trace(_ text: @autoclosure () -> String) { if isTraced { print("TRACE \(text())") } }

    private static func describe(_ edit: SyncEdit) -> String {
      let fields = edit.fields.map { "\($0.key): \(describe($0.value.value)) @\($0.value.stamp.time & 0xffffff)" }
      return "\(edit.kind) \(RelatedRows.name(edit.row)) \(edit.base) @\(edit.stamp.time & 0xffffff) \(fields)"
    }

    private static func describe(_ record: SyncRecord) -> String {
      let fields = record.fields.map { "\($0.key): \(describe($0.value.value)) @\($0.value.stamp.time & 0xffffff)" }
      let gone = record.deletion.map { " gone\($0.mergedInto.map { " is \(RelatedRows.name($0))" } ?? "")" } ?? ""
      return "\(record.sequence) \(RelatedRows.name(record.row))\(gone) \(fields)"
    }

    private static func describe(_ value: SyncValue) -> String {
      switch value {
      case .row(let row): RelatedRows.name(row)
      case .list(let elements): "[\(elements.map(describe).joined(separator: " "))]"
      case .text(let text): text
      default: "\(value)"
      }
    }
  }
}
