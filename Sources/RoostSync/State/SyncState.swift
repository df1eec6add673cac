import RoostCore
import SyncMerge

/// How far a store has come with its server. Kept in the file.
struct SyncState: Codable, Hashable, Sendable {
  /// A push that is not answered, or whose answer is not known.
  struct Outstanding: Codable, Hashable, Sendable {
    var number: Int64
    var identity: UInt64
    /// True once it was sent again: the server may have it.
    var isRepeated: Bool?
    /// The identity of a push without edits that goes in its place, once it came back as too large though
    /// the server may have it. One of another identity asks whether it has: it is refused then. One of the
    /// same is answered. nil for none.
    var probe: UInt64?
    /// The transaction of history that made the first of what it has in it.
    var oldest: Int64?
  }

  var zone: String
  /// The identity of the zone that the rows are of; nil before the first session.
  var account: UInt64?
  /// The identity of the zone that the rows were of until the program said that they are to be another's; nil for none.
  var leftAccount: UInt64?
  /// How often the rows came to be another zone's, or the zone to another order of changes, as an older copy of the
  /// server's has one: programs on the file that began before begin anew. nil for never.
  var zoneChanges: Int?
  var clock: SyncClock
  /// The number of the last push that was made.
  var lastPush: Int64 = 0
  var outstanding: Outstanding?
  /// How many bytes of edits go into a push since the server refused a larger one in this
  /// session; nil for what it said.
  var mostBytes: Int?
  /// While changes go in parts: the last transaction of history that belongs to them; else nil.
  var partsUpTo: Int64?
  /// The last place that was seen.
  var seen = SyncPlace.start
  /// The time of the latest of what the server has told of, as stamps have it; nil for nothing.
  var seenTime: UInt64?
  /// The place up to which all changes are shown, but for those that wait.
  var pulled = SyncPlace.start
  /// What that was before, the earliest first, fewer the longer ago: an older copy of the server's data
  /// has one of them. nil for none.
  var former: [SyncPlace]?
  /// The sequence to ask from next, while pages are collected.
  var cursor: Int64 = 0
  /// The last transaction of history that was looked at.
  var transaction: Int64
  /// The key that the next new row gets.
  var nextKey: Int64 = 1
  /// When its rows were last found to be the server's, in milliseconds since 1970; nil for never.
  var compared: UInt64?
  /// True once rows were fetched from the start as they were not the server's; nil when they are again.
  var isFetchedAnew: Bool?
  /// The classes whose rows are still to be looked at, as history has nothing of them.
  var sweeps: [String: Sweep] = [:]
  /// The fields, by the numbers of their classes, in place of whose values a program shows
  /// others in some rows; nil for none.
  var standIns: [Int: Set<Int>]?
  /// The fields, by the numbers of their classes, of which the device has not seen what others wrote as far
  /// as the rows say; nil for none.
  var unseen: [Int: [Int: UnseenField]]?
  /// What the program that noted changes last has and does not sync, by its name and that
  /// of its class; nil for nothing.
  var localNames: [String: Set<String>]?

  struct Sweep: Codable, Hashable, Sendable {
    /// The key of the last row that was.
    var done: Int64
    /// Whether known rows may have changed too.
    var again: Bool
    /// The numbers of the fields that are new to known rows; nil for none.
    var fields: Set<Int>?
    /// The key of the last row that was looked at for these when all began again; nil for none.
    var fieldsDone: Int64?
    /// Whether a migration may have made, changed and removed rows; nil for no.
    var isMigrated: Bool?

    /// Whether known rows are looked at, of which pages would take what was not noted.
    var isOfKnown: Bool { again || fields != nil || isMigrated ?? false }
  }

  /// Has all rows of a class looked at from the first on, also for what they were to be looked at before.
  mutating func sweep(_ name: String, again: Bool = false, fields: Set<Int>? = nil, isMigrated: Bool = false) {
    let former = sweeps[name]
    sweeps[name] = Sweep(
      done: 0, again: again || former?.again ?? false, fields: former?.fields.map { $0.union(fields ?? []) } ?? fields,
      // Rows up to there have been noted for these fields: noted again, a counter would be added twice.
      fieldsDone: fields == nil ? former.map { max($0.done, $0.fieldsDone ?? 0) } : nil,
      isMigrated: isMigrated || former?.isMigrated ?? false ? true : nil)
  }

  init(zone: String, site: UInt64, transaction: Int64) {
    (self.zone, self.transaction) = (zone, transaction)
    clock = SyncClock(site: site)
  }

  var site: UInt64 { clock.site }

  mutating func noteZoneChange() { zoneChanges = (zoneChanges ?? 0) + 1 }
}

extension SyncState {
  /// Whether it can have come about: others may write to the file, too.
  var isPossible: Bool {
    let places = [seen, pulled] + (former ?? [])
    let numbers =
      places.map(\.sequence) + [
        lastPush, cursor, transaction, nextKey, outstanding?.number ?? 0, outstanding?.oldest ?? 0, partsUpTo ?? 0,
        Int64(zoneChanges ?? 0), Int64(mostBytes ?? 0),
      ] + (unseen ?? [:]).values.flatMap { $0.values.map(\.place) }
    return numbers.allSatisfy { (0...SyncPlace.most).contains($0) }
  }
}

extension SyncState {
  private static let mostFormer = 24

  /// Takes note of the place up to which all changes are shown.
  mutating func notePulled(_ place: SyncPlace) {
    pulled = place
    var places = former ?? []
    guard places.last.map({ $0.sequence < place.sequence }) ?? (place != .start) else { return }
    places.append(place)
    /// How far those beside one are from each other, for how long ago it was.
    func distance(_ index: Int) -> Double {
      let between = places[index + 1].sequence - places[index - 1].sequence
      return Double(between) / Double(place.sequence - places[index].sequence)
    }
    if places.count > Self.mostFormer, let closest = (1..<places.count - 1).min(by: { distance($0) < distance($1) }) {
      places.remove(at: closest)
    }
    former = places
  }

  /// Forgets the places behind one, which are of another order.
  mutating func forgetFormer(behind common: Int64) { former?.removeAll { $0.sequence > common } }
}

/// What the server said as the session began. Kept in the file, as edits are noted by its numbers.
struct SyncSessionFacts: Codable, Hashable, Sendable {
  var numbers: SyncNumbers
  /// Those that earlier programs had: edits of theirs may be still to be sent. nil for none.
  var earlier: [SyncNumbers]?
  /// Those of earlier programs' classes too.
  var rules: [Int: SyncRules]
  var limits: SyncLimits

  /// Whether a server can have said so: others may write to the file, too.
  var isPossible: Bool { allNumbers.allSatisfy(\.arePossible) && limits.arePossible }

  /// All that the server has given since the rows are its own.
  var allNumbers: [SyncNumbers] { [numbers] + (earlier ?? []) }

  /// What it would be with the numbers that earlier sessions had for classes of a program.
  func withEarlierClasses(of contract: SyncContract) -> SyncSessionFacts {
    var facts = self
    for name in contract.entities.map(\.root.name) where facts.numbers.entities[name] == nil {
      let present = Set(facts.numbers.entities.values.map(\.number))
      let known = (earlier ?? []).compactMap { $0.entities[name] }.filter { !present.contains($0.number) }
      // Each has what those before it lack.
      facts.numbers.entities[name] = known.first.map { first in
        known.filter { $0.number == first.number }.reduce(into: first) { all, more in
          all.fields.merge(more.fields) { earlier, _ in earlier }
          all.classes.merge(more.classes) { earlier, _ in earlier }
        }
      }
    }
    return facts
  }
}
