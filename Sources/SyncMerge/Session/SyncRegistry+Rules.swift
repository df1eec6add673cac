// What holds for rows, by numbers.
extension SyncRegistry {
  /// How many numbers it has given to classes, and how many names all numbers have.
  package var counts: (entities: Int, names: Int) {
    let all = entities.values.flatMap { [$0] + $0.fields.values + $0.classes.values }
    return (entities.count, all.reduce(0) { $0 + $1.names.count })
  }

  /// Whether it has given the numbers of an edit's class and fields.
  func knows(_ edit: SyncEdit) -> Bool {
    guard let entry = entities[edit.row.entity] else { return false }
    return edit.fields.allSatisfy { number, field in
      (number == SyncNumbers.classField || entry.fields[number] != nil)
        && field.value.references.allSatisfy { entities[$0.entity] != nil }
    }
  }

  /// Whether it has given all of some numbers to what they are of.
  func hasGiven(_ numbers: SyncNumbers) -> Bool {
    func hasGiven(_ numbers: [String: Int], in entries: [Int: Entry]) -> Bool {
      numbers.allSatisfy { name, number in entries[number]?.names.contains(name) ?? false }
    }
    return numbers.entities.allSatisfy { name, entity in
      guard let entry = entities[entity.number], entry.names.contains(name) else { return false }
      return hasGiven(entity.fields, in: entry.fields) && hasGiven(entity.classes, in: entry.classes)
    }
  }

  package func rules(of entity: Int) -> SyncRules {
    guard let entry = entities[entity] else { return SyncRules() }
    return SyncRules(
      policies: entry.fields.mapValues(\.policy).filter { $0.value != .lastWriter }, deletion: entry.deletion)
  }

  /// The relationships of a class, by the numbers of their fields.
  package func references(of entity: Int) -> [Int: Reference] {
    entities[entity]?.fields.compactMapValues(\.reference) ?? [:]
  }

  /// What a row has in a field that nobody has written.
  func unwritten(_ field: Int, of entity: Int) -> SyncValue { entities[entity]?.fields[field]?.unwritten ?? .null }

  /// Whether the newest program does not have a field.
  func isDropped(_ field: Int, of entity: Int) -> Bool { entities[entity]?.fields[field]?.isDropped ?? false }

  /// The classes whose rows take others along when they are deleted, and those whose rows
  /// go with one that refers to them.
  var cascading: (owners: Set<Int>, owned: Set<Int>) {
    var (owners, owned): (Set<Int>, Set<Int>) = ([], [])
    for (number, entity) in entities {
      for reference in entity.fields.values.compactMap(\.reference) {
        if reference.deleteRule == .cascade { owners.insert(reference.destination) }
        guard reference.takesAlong == true else { continue }
        owners.insert(number)
        owned.insert(reference.destination)
      }
    }
    return (owners, owned)
  }

  /// The classes whose rows may be there after all though somebody deleted them: edits of them
  /// win, or others must have them.
  var staying: Set<Int> {
    var staying = Set(entities.filter { $0.value.deletion == .editWins }.keys)
    for reference in entities.values.flatMap(\.fields.values).compactMap(\.reference)
    where reference.deleteRule.keepsRow(isRequired: reference.isRequired) {
      staying.insert(reference.destination)
    }
    // With such a row those are there again that it goes with, and those that go with it.
    var together: [Int: [Int]] = [:]
    for (number, entity) in entities {
      for reference in entity.fields.values.compactMap(\.reference)
      where reference.deleteRule == .cascade || reference.takesAlong == true {
        together[number, default: []].append(reference.destination)
        together[reference.destination, default: []].append(number)
      }
    }
    var waiting = Array(staying)
    while let one = waiting.popLast() {
      for other in together[one] ?? [] where staying.insert(other).inserted { waiting.append(other) }
    }
    return staying
  }

  /// The one-to-one relationships of a class, in the order of their fields' numbers: those whose inverse has them for
  /// its own. Of two that programs have with one inverse, one at a time can be that.
  package func partners(of entity: Int) -> [(field: Int, reference: Reference)] {
    (entities[entity]?.fields ?? [:]).compactMap { number, field in
      guard let reference = field.reference, let inverse = reference.inverse,
        entities[reference.destination]?.fields[inverse]?.reference?.inverse == number
      else { return nil }
      return (number, reference)
    }.sorted { $0.field < $1.field }
  }

  /// Whether a constraint is that each row has a partner of its own.
  func isPartner(_ fields: [Int], of entity: Int) -> Bool {
    fields.count == 1 && entities[entity]?.partners?.contains(fields[0]) ?? false
  }

  /// The fields that no two rows have the same values in.
  package func uniqueness(of entity: Int) -> [[Int]] { entities[entity]?.uniqueness ?? [] }

  /// The constraints that classes have and did not have before, by the numbers of classes, and the place behind which
  /// rows have not claimed the values of one of them.
  func newUniqueness(since former: SyncRegistry) -> (constraints: [Int: [[Int]]], sequence: Int64) {
    var (new, sequence): ([Int: [[Int]]], Int64) = ([:], .max)
    // A class that is new has no rows.
    for (number, entry) in entities where former.entities[number] != nil {
      // So are those of rows that have another value by now, as programs take another one for granted.
      let added = entry.uniqueness.filter { fields in
        !former.uniqueness(of: number).contains(fields)
          || former.isPartner(fields, of: number) && !isPartner(fields, of: number)
          || fields.contains { unwritten($0, of: number) != former.unwritten($0, of: number) }
      }
      if added.isEmpty { continue }
      new[number] = added
      for fields in added {
        let isSame = fields.allSatisfy { unwritten($0, of: number) == former.unwritten($0, of: number) }
        let dropped = isSame ? former.entities[number]?.dropped?.last { $0.fields == fields } : nil
        sequence = min(sequence, dropped?.sequence ?? 0)
      }
    }
    return (new, sequence)
  }
}
