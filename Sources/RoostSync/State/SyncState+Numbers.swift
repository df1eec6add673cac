import SyncMerge

extension SyncState {
  /// Takes note of what the server has of this site's pushes.
  mutating func noteLastPush(_ number: Int64) {
    guard let outstanding else { return lastPush = number }
    // It may have had the push, and has it no more: no other may be taken for it.
    if outstanding.number > number { self.outstanding?.probe = nil }
    // It lost some: the one that is on its way is the next.
    if outstanding.number > number + 1 {
      self.outstanding?.number = number + 1
      lastPush = number + 1
    }
  }

  /// Has all rows fetched anew where the program knows of more than when it fetched them, and those looked at whose class was
  /// not synced before, or has fields that are new.
  ///
  /// `earlier`: what sessions before the last one had besides. `local`: see ``SyncSessionFacts/local``, of the last session.
  mutating func noteNumbers(
    _ numbers: SyncNumbers, _ former: SyncNumbers, earlier: [SyncNumbers] = [], local: [String: [String: Int64]] = [:],
    areOthers: Bool
  ) {
    // By number, as names change. In another zone numbers are others'.
    let isSameZone = !areOthers
    var hasMore = false
    for (name, entity) in numbers.entities {
      let same = former.entities.values.first { $0.number == entity.number }
      guard let known = isSameZone ? same : former.entities[name] else {
        // It may have been synced before, and been changed since.
        sweep(name, again: former.entities[name] == nil)
        hasMore = true
        continue
      }
      let new = entity.fields.filter { name, number in
        isSameZone ? !known.fields.values.contains(number) : known.fields[name] == nil
      }
      if !new.isEmpty {
        let before = earlier.flatMap {
          $0.entities.values.filter { $0.number == entity.number }.flatMap(\.fields.values)
        }
        let places = new.compactMap { field, number in local[name]?[field].map { (number, isSameZone ? $0 : 0) } }
        sweep(
          name, fields: Set(new.values), earlier: isSameZone ? Set(before).intersection(new.values) : [],
          local: Dictionary(places) { first, _ in first })
      }
      let fields = Set(entity.fields.values).union(entity.classes.values.map { -$0 })
      if !fields.isSubset(of: Set(known.fields.values).union(known.classes.values.map { -$0 })) { hasMore = true }
    }
    if hasMore { (pulled, cursor) = (.start, 0) }
  }
}
