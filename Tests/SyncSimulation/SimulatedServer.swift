import SyncMerge
import TestSupport

/// A server: the zones of users, as they are and as they were.
struct SimulatedServer {
  private(set) var zones: [String: SyncZone<MemoryZone>] = [:]
  private var backups: [[String: SyncZone<MemoryZone>]] = []
  private(set) var conflicts: [SyncConflict] = []
  /// The edits that are not later than what their devices had seen.
  private(set) var early: [SyncEdit] = []
  /// The conflicts that the earlier of two values has won.
  private(set) var wronglyWon: [SyncConflict] = []
  private var limits: SyncLimits
  private var answerBytes: Int

  init(limits: SyncLimits, answerBytes: Int) { (self.limits, self.answerBytes) = (limits, answerBytes) }

  func zone(_ user: String) -> SyncZone<MemoryZone> {
    zones[user] ?? SyncZone(MemoryZone(SyncRegistry()), limits: limits, answerBytes: answerBytes)
  }

  mutating func answer(_ request: SyncRequest, of user: String, identity: UInt64, pageLimit: Int, now: UInt64) throws
    -> SyncAnswer
  {
    // What is refused leaves nothing behind.
    var zone = zone(user)
    let rows = zone.storage.rows
    let answer = try Self.answer(request, &zone, identity: identity, pageLimit: pageLimit, now: now)
    if case .push(let answer) = answer {
      conflicts += answer.conflicts
      wronglyWon += answer.conflicts.filter { Self.isWronglyWon($0, zone.storage.registry) }
    }
    if case .push(let push, _) = request {
      early += push.edits.filter { Self.isEarly($0, rows[$0.row], zone.storage.registry) }
    }
    zones[user] = zone
    return answer
  }

  /// Whether an edit says that it is of before what its device had seen of a value, whatever its clock did.
  ///
  /// Of values that the last writer has: others keep their time when what others wrote is merged into them.
  private static func isEarly(_ edit: SyncEdit, _ record: SyncRecord?, _ registry: SyncRegistry) -> Bool {
    let rules = registry.rules(of: edit.row.entity)
    return edit.fields.contains { number, field in
      guard rules.policy(of: number) == .lastWriter, let known = record?.fields[number], known.sequence <= field.base,
        !field.stamp.isTimeless
      else { return false }
      return field.stamp < known.stamp
    }
  }

  /// A value that no other row may have, or that refers to one, may give way for that.
  private static func isWronglyWon(_ conflict: SyncConflict, _ registry: SyncRegistry) -> Bool {
    guard let field = conflict.field, registry.references(of: conflict.row.entity)[field] == nil,
      !registry.uniqueness(of: conflict.row.entity).contains(where: { $0.contains(field) })
    else { return false }
    let isLater = conflict.server.stamp < conflict.client.stamp
    return conflict.outcome == (isLater ? .server : .client)
  }

  private static func answer(
    _ request: SyncRequest, _ zone: inout SyncZone<MemoryZone>, identity: UInt64, pageLimit: Int, now: UInt64
  ) throws -> SyncAnswer {
    switch request {
    case .begin(let hello): .begin(try zone.begin(hello, now: now, identity: identity))
    case .push(let push, _): .push(try zone.take(push, now: now))
    case .page(let cursor, let seen, let site, _):
      .page(try zone.page(behind: cursor, seen: seen, for: site, limit: pageLimit))
    case .digest: .digest(try zone.digest())
    }
  }

  /// What another node answers that has not heard of all pushes; nil for a request that it leaves to the first.
  func staleAnswer(_ request: SyncRequest, of user: String, pageLimit: Int, now: UInt64) throws -> SyncAnswer? {
    guard var zone = backups.last?[user] else { return nil }
    if case .push = request { return nil }
    let registry = zone.storage.registry
    let answer = try Self.answer(request, &zone, identity: registry.identity, pageLimit: pageLimit, now: now)
    // It gives no numbers by itself.
    return zone.storage.registry == registry ? answer : nil
  }

  mutating func makeBackup() { backups.append(zones) }

  /// Returns false where there is none.
  mutating func putBackupBack() -> Bool {
    guard let backup = backups.popLast() else { return false }
    zones = backup
    return true
  }

  /// Takes what one transaction changed in one push, from the next sessions on. Returns false where it did before.
  mutating func setUsualLimits() -> Bool {
    if limits.edits == SyncLimits().edits { return false }
    (limits, answerBytes) = (SyncLimits(), 1 << 20)
    zones = zones.mapValues { SyncZone($0.storage, limits: limits, answerBytes: answerBytes) }
    return true
  }

  /// A server that is set up anew knows nobody.
  mutating func setUpAnew() { (zones, backups) = ([:], []) }
}
