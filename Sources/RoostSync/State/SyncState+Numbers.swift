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

  /// Has all rows fetched anew where the program knows of more than when it fetched them, those looked at whose class
  /// was not synced before, and takes note of new fields.
  ///
  /// - Parameters:
  ///   - numbers: what the session has.
  ///   - session: the last one.
  ///   - schema: the program's.
  ///   - areOthers: whether the numbers are another zone's.
  mutating func noteNumbers(
    _ numbers: SyncNumbers, _ session: SyncSessionFacts, _ schema: SyncSchema, areOthers: Bool
  ) {
    let former = session.numbers
    var hasMore = false
    if areOthers { unseen = nil }
    for (name, entity) in numbers.entities {
      // By number, as names change. In another zone numbers are others'.
      let same = former.entities.first { $0.value.number == entity.number }
      guard let (formerName, known) = areOthers ? former.entities[name].map({ (name, $0) }) : same.map({ ($0, $1) })
      else {
        // It may have been synced before, and been changed since.
        sweep(name, again: former.entities[name] == nil)
        hasMore = true
        let all = session.allNumbers.flatMap(\.entities.values).filter { $0.number == entity.number }
        let earlier = areOthers ? [] : Set(all.flatMap(\.fields.values))
        if earlier.isEmpty { continue }
        for number in entity.fields.values where !earlier.contains(number) {
          noteNew(number, in: entity.number, isWritten: true)
        }
        continue
      }
      let local = localNames?[formerName] ?? []
      let definitions = schema.entities.first { $0.name.name == name }?.fields ?? []
      for (field, number) in entity.fields
      where areOthers ? known.fields[field] == nil : !known.fields.values.contains(number) {
        let names = definitions.first { $0.name.name == field }?.name.allNames ?? [field]
        noteNew(number, in: entity.number, isWritten: !local.isDisjoint(with: names))
      }
      let fields = Set(entity.fields.values).union(entity.classes.values.map { -$0 })
      if !fields.isSubset(of: Set(known.fields.values).union(known.classes.values.map { -$0 })) { hasMore = true }
    }
    if hasMore { (pulled, cursor) = (.start, 0) }
  }
}
