import SyncMerge

/// A synced field that the rows here are without what others wrote of it, as the program was not to have it, or did not sync it.
struct UnseenField: Codable, Hashable, Sendable {
  /// The place up to which the device has seen what others wrote; 0 for none.
  var place: Int64
  /// Whether what a row has is what was synced before, or was written upon it.
  var isFormer: Bool
  /// Whether people may have written what a row has.
  var isWritten: Bool
  /// Whether the program has it now, so that all rows are looked at, and are fetched anew.
  var isFetched = false
}

extension SyncState {
  /// How far the device has seen what others wrote of a field; nil for as far as the row.
  func placeSeen(of field: Int, in entity: Int) -> Int64? { unseen?[entity]?[field]?.place }

  /// Takes note that a program on the file does without a field that was synced.
  ///
  /// `isKept`: whether it has it all the same. `place`: up to where what others wrote of it is shown.
  mutating func noteMissing(_ field: Int, in entity: Int, isKept: Bool, seen place: Int64) {
    let former = unseen?[entity]?[field] ?? UnseenField(place: place, isFormer: true, isWritten: true)
    setUnseen(
      UnseenField(place: isKept ? former.place : 0, isFormer: isKept && former.isFormer, isWritten: isKept), field,
      in: entity)
  }

  /// Takes note of a field that the device has not had before. `isWritten`: whether programs have had the property, and did not sync it.
  mutating func noteNew(_ field: Int, in entity: Int, isWritten: Bool) {
    if placeSeen(of: field, in: entity) != nil { return }
    setUnseen(UnseenField(place: 0, isFormer: false, isWritten: isWritten), field, in: entity)
  }

  private mutating func setUnseen(_ value: UnseenField, _ field: Int, in entity: Int) {
    if unseen?[entity]?[field] == value { return }
    unseen = (unseen ?? [:]).merging([entity: [field: value]]) { $0.merging($1) { $1 } }
  }

  /// Has all rows of a class looked at, and all rows fetched, for fields that the program has again, or now.
  mutating func fetchUnseen(_ name: String, _ entity: Int, where isPresent: (Int) -> Bool) {
    let found = (unseen?[entity] ?? [:]).filter { isPresent($0) && !$1.isFetched }.keys
    if found.isEmpty { return }
    for field in found { unseen?[entity]?[field]?.isFetched = true }
    sweep(name, fields: Set(found))
    (pulled, cursor) = (.start, 0)
  }

  /// Takes note that all rows of a class were fetched.
  mutating func noteFetched(_ entity: Int) {
    guard let rest = unseen?[entity]?.filter({ !$1.isFetched }) else { return }
    unseen?[entity] = rest.isEmpty ? nil : rest
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
