/// The classes and fields that programs of a zone have, by numbers which renames keep.
package struct SyncRegistry: Hashable, Sendable, Codable {
  private struct Entry: Hashable, Sendable, Codable {
    var names: Set<String>
    /// What those of its names were called before that programs say so of; nil for none.
    var renames: [String: String]?
    /// For each name of before, the first version that says so; nil for none.
    var renamedIn: [String: [Int]]?
    /// What the entry of an entity has; empty for others.
    var fields: [Int: Entry] = [:]
    var classes: [Int: Entry] = [:]
    var policy = SyncMergePolicy.lastWriter
    var reference: Reference?
    var deletion = SyncDeletionPolicy.deletionWins
    var uniqueness: [[Int]] = []
    /// The constraints that it had before; nil for none.
    var dropped: [DroppedUniqueness]?
    var version: [Int] = []
    /// Whether it is a field that the newest program does not have; nil for no.
    var isDropped: Bool?
    /// What programs take for granted of rows that have no value in a field; nil for none.
    var unwritten: SyncValue?
    /// What programs were given for the fields of an entity.
    var fieldsGiven: GivenNumbers?
    var classesGiven: GivenNumbers?

    /// Whether a name is only what it was called before another one that it has.
    func isFormer(_ name: String) -> Bool {
      guard let renames else { return false }
      return renames[name] == nil && renames.values.contains(name)
    }

    /// Whether it had another name by the time of a version, which has the name for something else.
    func hasLost(_ name: String, by version: [Int]) -> Bool {
      isFormer(name) && renamedIn?[name]?.lexicographicallyPrecedes(version) ?? false
    }

    mutating func note(_ name: SyncName, _ version: [Int]) {
      let all = [name.name] + name.formerNames
      names.formUnion(all)
      if all.count == 1 { return }
      renames = (renames ?? [:]).merging(zip(all, all.dropFirst())) { $1 }
      renamedIn = (renamedIn ?? [:]).merging(all.dropFirst().map { ($0, version) }) {
        $0.lexicographicallyPrecedes($1) ? $0 : $1
      }
    }
  }

  /// A constraint that the last program does not have.
  private struct DroppedUniqueness: Hashable, Sendable, Codable {
    var fields: [Int]
    /// The zone's last place with it: what changed behind that has not claimed its values.
    var sequence: Int64
  }

  /// A relationship, by numbers.
  package struct Reference: Hashable, Sendable, Codable {
    package var destination: Int
    package var deleteRule: SyncReference.DeleteRule
    package var isRequired: Bool
    /// The field of a one-to-one relationship's other side.
    package var inverse: Int?
    /// Whether the row that refers takes the other along when it is deleted; nil for no.
    package var takesAlong: Bool?

    /// The same once the newest program does not have it: nobody sees to it any more that rows let go of one that is deleted. So they
    /// do, and go with none.
    ///
    /// `isNewer`: whether that program is newer than all that have it. One of the same version may be the older one all the same, so
    /// that rows which must have one keep it.
    fileprivate func dropped(isNewer: Bool) -> Reference {
      var dropped = self
      dropped.takesAlong = nil
      if deleteRule == .cascade || isNewer && deleteRule != .noAction { dropped.deleteRule = .nullify }
      if isNewer { (dropped.isRequired, dropped.inverse) = (false, nil) }
      return dropped
    }
  }

  private var entities: [Int: Entry] = [:]
  /// What programs were given for their entities.
  private var given: GivenNumbers?
  /// What tells the zone from all others: a random number, given when a device first begins; 0 before.
  package internal(set) var identity: UInt64 = 0

  package init() {}

  /// Adds what a program has and others had not.
  ///
  /// The rules are those of the newest program: an older one does not bring its own back.
  ///
  /// - Parameters:
  ///   - schema: the program's.
  ///   - sequence: that of the zone's last place.
  /// - Returns: the numbers of all that it has.
  package mutating func register(_ schema: SyncSchema, at sequence: Int64 = 0) -> SyncNumbers {
    let numbers = Self.numbers(of: schema.entities.map(\.name), schema.version, in: &entities, &given)
    let schema = placed(schema, numbers)
    var found = SyncNumbers()
    for entity in schema.entities {
      guard let number = numbers[entity.name.name] else { continue }
      var entry = entities[number] ?? Entry(names: [])
      let fields = Self.numbers(
        of: entity.fields.map(\.name), schema.version, in: &entry.fields, &entry.fieldsGiven, mayMove: true)
      let classes = Self.numbers(of: entity.classes, schema.version, in: &entry.classes, &entry.classesGiven)
      entities[number] = entry
      found.entities[entity.name.name] = SyncNumbers.Entity(number: number, fields: fields, classes: classes)
    }
    for entity in schema.entities { setRules(entity, found, schema.version, sequence) }
    return found
  }

  /// A program's models with each many-to-many relationship on the side on which others have it already: which side a program names
  /// depends on what it calls its classes, and on whether it has an inverse.
  private func placed(_ schema: SyncSchema, _ numbers: [String: Int]) -> SyncSchema {
    var known: [String: Set<String>] = [:]
    func names(of entity: String) -> Set<String> {
      if let names = known[entity] { return names }
      let fields = numbers[entity].flatMap { entities[$0] }?.fields ?? [:]
      let names = fields.values.reduce(into: Set<String>()) { $0.formUnion($1.names) }
      known[entity] = names
      return names
    }
    func isKnown(_ name: SyncName, of entity: String) -> Bool {
      let names = names(of: entity)
      return names.contains(name.name) || name.originalName.map(names.contains) ?? false
    }
    var moved: [String: [SyncFieldDefinition]] = [:]
    var placed = schema
    for (place, entity) in schema.entities.enumerated() {
      placed.entities[place].fields = entity.fields.filter { field in
        guard let other = field.otherSide, !isKnown(field.name, of: entity.name.name),
          isKnown(other.name, of: other.entity)
        else { return true }
        moved[other.entity, default: []].append(
          SyncFieldDefinition(other.name, policy: field.policy, reference: other.reference))
        return false
      }
    }
    if moved.isEmpty { return schema }
    for (place, entity) in placed.entities.enumerated() {
      placed.entities[place].fields += moved[entity.name.name] ?? []
    }
    return placed
  }

  /// A class that a program has below another, and programs before had as one of its own; nil for none.
  ///
  /// The rows of both would not be the same: each device would send its own as new ones.
  func movedClass(in schema: SyncSchema) -> String? {
    func names(_ name: SyncName) -> [String] { [name.name, name.originalName].compactMap(\.self) }
    let roots = Set(schema.entities.flatMap { names($0.name) })
    let known = entities.values.reduce(into: Set<String>()) { $0.formUnion($1.names) }.subtracting(roots)
    return schema.entities.lazy.flatMap(\.classes).first { !known.isDisjoint(with: names($0)) }?.name
  }

  /// How many constraints that a class had before are known. Of others all rows are looked at once more.
  private static let mostDropped = 16

  private mutating func setRules(
    _ entity: SyncEntity, _ numbers: SyncNumbers, _ version: [Int], _ sequence: Int64
  ) {
    guard let own = numbers.entities[entity.name.name], var entry = entities[own.number] else { return }
    let isNewest = !version.lexicographicallyPrecedes(entry.version)
    for field in entity.fields {
      guard let number = own.fields[field.name.name], var known = entry.fields[number] else { continue }
      if version.lexicographicallyPrecedes(known.version) { continue }
      // Of programs with one version the first one's stays: rows would claim their unique values anew each time that another begins.
      if known.unwritten == nil || known.version.lexicographicallyPrecedes(version) {
        known.unwritten = field.unwritten
      }
      known.version = version
      known.policy = field.policy
      known.reference = field.reference.flatMap { reference in
        numbers.entities[reference.destination].map { destination in
          Reference(
            destination: destination.number, deleteRule: reference.deleteRule, isRequired: reference.isRequired,
            inverse: reference.inverse.flatMap { destination.fields[$0] }, takesAlong: reference.takesAlong)
        }
      }
      // The newest program does not have it, or its rule would be newer.
      known.isDropped = isNewest ? nil : true
      if !isNewest { known.reference = known.reference?.dropped(isNewer: true) }
      entry.fields[number] = known
    }
    if isNewest {
      let (present, isNewer) = (Set(own.fields.values), entry.version.lexicographicallyPrecedes(version))
      for (number, field) in entry.fields where !present.contains(number) {
        entry.fields[number]?.version = version
        entry.fields[number]?.isDropped = true
        entry.fields[number]?.reference = field.reference?.dropped(isNewer: isNewer)
      }
      entry.version = version
      entry.deletion = entity.deletion
      let uniqueness = entity.uniqueness.map { $0.compactMap { own.fields[$0] } }.reduce(into: [[Int]]()) {
        if !$0.contains($1) { $0.append($1) }
      }
      let dropped: [DroppedUniqueness] =
        (entry.dropped ?? []).filter { !uniqueness.contains($0.fields) }
        + entry.uniqueness.filter { !uniqueness.contains($0) }.map { DroppedUniqueness(fields: $0, sequence: sequence) }
      entry.dropped = dropped.isEmpty ? nil : Array(dropped.suffix(Self.mostDropped))
      entry.uniqueness = uniqueness
    }
    entities[own.number] = entry
  }

  /// The numbers of things by their names; those that have none get some.
  ///
  /// A name may have been another thing's before that was renamed. So whoever says what it was called goes first, then
  /// what can only be one thing. A former name is one as well: an older program may begin after the one that renamed.
  ///
  /// A program gets the same each time, whatever others have had numbers for meanwhile.
  ///
  /// `mayMove`: whether a thing is the same that a class had and now the one above has, or the other way round.
  private static func numbers(
    of names: [SyncName], _ version: [Int], in entries: inout [Int: Entry], _ given: inout GivenNumbers?,
    mayMove: Bool = false
  ) -> [String: Int] {
    if names.isEmpty { return [:] }
    if let numbers = given?.numbers(of: names, version) {
      for name in names { if let number = numbers[name.name] { entries[number]?.note(name, version) } }
      return numbers
    }
    let numbers = newNumbers(of: names, version, in: &entries, mayMove: mayMove)
    given = given ?? GivenNumbers()
    given?.note(numbers, of: names, version)
    return numbers
  }

  private static func newNumbers(
    of names: [SyncName], _ version: [Int], in entries: inout [Int: Entry], mayMove: Bool
  ) -> [String: Int] {
    var (numbers, taken): ([String: Int], Set<Int>) = ([:], [])
    // What gets a name below is taken from then on.
    var present: [String: [Int]] = [:]
    for (number, entry) in entries { for name in entry.names { present[name, default: []].append(number) } }
    var last = entries.keys.max() ?? 0
    func known(_ name: String) -> Int? {
      let found = (present[name] ?? []).filter { !taken.contains($0) }
      // Only an older program means what has another name by now.
      return found.filter { !(entries[$0]?.hasLost(name, by: version) ?? false) }.min() ?? found.min()
    }
    /// Those first that are known by all they say, then those that are by their last former name. Those last that are only what other
    /// things were called, which may have their own names in the same program.
    func order(_ name: SyncName) -> Int {
      if let last = name.formerNames.first {
        let former = Set(present[last] ?? [])
        return former.isEmpty ? -1 : former.isDisjoint(with: present[name.name] ?? []) ? -2 : -3
      }
      let found = present[name.name] ?? []
      let isFormer = !found.isEmpty && found.allSatisfy { entries[$0]?.isFormer(name.name) ?? false }
      return isFormer ? .max : 1 + found.count
    }
    let left = mayMove ? Self.left(by: names, in: entries) : [:]
    /// The one thing that the program does not have where it was.
    func moved(_ name: String) -> Int? {
      let found = Set(left[PropertyPlace(name).elsewhere] ?? []).subtracting(taken)
      return found.count == 1 ? found.first : nil
    }
    /// As a device's migration decides, which has what the last program had. It is the same each time.
    func number(of name: SyncName) -> Int? {
      let own = known(name.name)
      guard let original = name.formerNames.first else { return own ?? moved(name.name) }
      let both = Set(present[name.name] ?? []).intersection(present[original] ?? []).subtracting(taken)
      let same = both.filter { entries[$0]?.renames?[name.name] == original }
      if let number = same.min() ?? both.min() { return number }
      // No program of the version between may have begun.
      let former = name.formerNames.first { known($0) != nil }.flatMap(known)
      func isDropped(_ number: Int) -> Bool { entries[number]?.isDropped ?? false }
      // It was renamed long ago, and nobody said so then.
      if let own, let former, isDropped(former), !isDropped(own) { return own }
      return former ?? own
    }
    for name in names.map({ (order($0), $0) }).sorted(by: { $0.0 < $1.0 }).map(\.1) {
      let number = number(of: name) ?? last + 1
      last = max(last, number)
      entries[number, default: Entry(names: [])].note(name, version)
      taken.insert(number)
      numbers[name.name] = number
    }
    return numbers
  }
}

extension SyncRegistry {
  /// The numbers of what a program does not have, by where it was.
  private static func left(by names: [SyncName], in entries: [Int: Entry]) -> [PropertyPlace: [Int]] {
    let all = Set(names.flatMap { [$0.name] + $0.formerNames })
    var left: [PropertyPlace: [Int]] = [:]
    for (number, entry) in entries where entry.names.isDisjoint(with: all) {
      for name in entry.names { left[PropertyPlace(name), default: []].append(number) }
    }
    return left
  }
}

/// Whether a property is the top class's or one below has it, by the name that the server knows it by.
private struct PropertyPlace: Hashable {
  private let name: Substring
  private var isAtTop: Bool
  /// Whether it is the place in the list of what the property refers to.
  private let isPosition: Bool

  init(_ text: String) {
    isPosition = text.hasSuffix(".position")
    let parts = text.dropLast(isPosition ? 9 : 0).split(separator: ".", maxSplits: 1)
    (name, isAtTop) = (parts.last ?? "", parts.count < 2)
  }

  /// The same property at the top, or below it.
  var elsewhere: PropertyPlace {
    var other = self
    other.isAtTop.toggle()
    return other
  }
}

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

  /// The classes whose rows take others along when they are deleted, and those whose rows go with one that refers to them.
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

  /// The classes whose rows may be there after all though somebody deleted them: edits of them win, or others must have them.
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

  /// The one-to-one relationships of a class, in the order of their fields' numbers: those whose inverse has them for its own. Of two
  /// that programs have with one inverse, one at a time can be that.
  package func partners(of entity: Int) -> [(field: Int, reference: Reference)] {
    (entities[entity]?.fields ?? [:]).compactMap { number, field in
      guard let reference = field.reference, let inverse = reference.inverse,
        entities[reference.destination]?.fields[inverse]?.reference?.inverse == number
      else { return nil }
      return (number, reference)
    }.sorted { $0.field < $1.field }
  }

  /// The fields that no two rows have the same values in.
  package func uniqueness(of entity: Int) -> [[Int]] { entities[entity]?.uniqueness ?? [] }

  /// The constraints that classes have and did not have before, by the numbers of classes, and the place behind which rows have not
  /// claimed the values of one of them.
  func newUniqueness(since former: SyncRegistry) -> (constraints: [Int: [[Int]]], sequence: Int64) {
    var (new, sequence): ([Int: [[Int]]], Int64) = ([:], .max)
    // A class that is new has no rows.
    for (number, entry) in entities where former.entities[number] != nil {
      // So are those of rows that have another value by now, as programs take another one for granted.
      let added = entry.uniqueness.filter { fields in
        !former.uniqueness(of: number).contains(fields)
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

  /// The relationships to a class: the class that has one, its field, and what it is.
  package func referrers(to destination: Int) -> [(entity: Int, field: Int, reference: Reference)] {
    var found: [(entity: Int, field: Int, reference: Reference)] = []
    for (number, entry) in entities.sorted(by: { $0.key < $1.key }) {
      for (field, known) in entry.fields.sorted(by: { $0.key < $1.key }) {
        if let reference = known.reference, reference.destination == destination {
          found.append((number, field, reference))
        }
      }
    }
    return found
  }
}
