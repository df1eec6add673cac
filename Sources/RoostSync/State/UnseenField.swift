import RoostCore
import SyncMerge

/// A synced field of which the device has not seen what others wrote as far as rows say, as its program did
/// without it, or did not sync it.
struct UnseenField: Codable, Hashable, Sendable {
  /// Whose the value is that rows have.
  enum Origin: String, Codable, Sendable {
    /// Nobody's: what a migration gave them.
    case migration
    /// What people wrote while it was not synced, and it never was before.
    case people
    /// What was synced before, or what people wrote upon that.
    case former
  }

  enum Stage: String, Codable, Sendable {
    /// The program is without it.
    case missing
    /// The program has it: rows are looked at, and fetched anew.
    case fetching
    /// All rows were fetched, and some wait to be shown.
    case waiting
  }

  /// The place up to which the device has seen what others wrote; 0 for none.
  var place: Int64
  var origin: Origin
  var stage = Stage.missing
}

extension SyncState {
  /// Takes note that a program on the file does without a field that was synced.
  ///
  /// `isKept`: whether it has it all the same. `place`: up to where what others wrote of it is shown.
  mutating func noteMissing(_ field: Int, in entity: Int, isKept: Bool, seen place: Int64) {
    guard isKept else { return setUnseen(UnseenField(place: 0, origin: .migration), field, in: entity) }
    let known = unseen?[entity]?[field]
    var missing = UnseenField(place: known?.place ?? place, origin: .former)
    // Once it was fetched, what rows have of it was sent too.
    if let known, known.stage == .missing { missing.origin = known.origin == .migration ? .people : known.origin }
    setUnseen(missing, field, in: entity)
  }

  /// Takes note of a field that the device has not had before. `isWritten`: whether programs have had the
  /// property, and did not sync it.
  mutating func noteNew(_ field: Int, in entity: Int, isWritten: Bool) {
    if unseen?[entity]?[field] != nil { return }
    setUnseen(UnseenField(place: 0, origin: isWritten ? .people : .migration), field, in: entity)
  }

  private mutating func setUnseen(_ value: UnseenField, _ field: Int, in entity: Int) {
    if unseen?[entity]?[field] == value { return }
    unseen = (unseen ?? [:]).merging([entity: [field: value]]) { $0.merging($1) { $1 } }
  }

  /// Has all rows of a class looked at, and all rows fetched, for fields that the program has again, or now.
  mutating func fetchUnseen(of entity: BoundContract.Entity) {
    let found = (unseen?[entity.number] ?? [:]).filter { entity.indexes[$0] != nil && $1.stage == .missing }.keys
    if found.isEmpty { return }
    for field in found { unseen?[entity.number]?[field]?.stage = .fetching }
    sweep(entity.synced.root.name, fields: Set(found))
    (pulled, cursor) = (.start, 0)
  }

  /// Takes note that all rows of a class were fetched. `areShown`: whether none of them waits.
  mutating func noteFetched(_ entity: Int, areShown: Bool) {
    for (field, facts) in unseen?[entity] ?? [:] where facts.stage != .missing {
      unseen?[entity]?[field]?.stage = .waiting
      if areShown { unseen?[entity]?[field] = nil }
    }
    if unseen?[entity]?.isEmpty ?? false { unseen?[entity] = nil }
    if unseen?.isEmpty ?? false { unseen = nil }
  }

  /// Takes note that the zone has another order behind a place.
  mutating func limitUnseen(to place: Int64) {
    unseen = unseen?.mapValues { fields in
      fields.mapValues { field in
        var field = field
        field.place = min(field.place, place)
        return field
      }
    }
  }
}
