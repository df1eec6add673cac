/// The classes and fields that programs of a zone have, by numbers which renames keep.
package struct SyncRegistry: Hashable, Sendable, Codable {
  struct Entry: Hashable, Sendable, Codable {
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
    /// See ``SyncEntity/partners``.
    var partners: Set<Int>?
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
  struct DroppedUniqueness: Hashable, Sendable, Codable {
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

    /// The same once the newest program does not have it: nobody sees to it any more that rows let go of one that is
    /// deleted. So they do, and go with none.
    ///
    /// `isNewer`: whether that program is newer than all that have it. One of the same version may be the older one all
    /// the same, so that rows which must have one keep it.
    fileprivate func dropped(isNewer: Bool) -> Reference {
      var dropped = self
      dropped.takesAlong = nil
      if deleteRule == .cascade || isNewer && deleteRule != .noAction { dropped.deleteRule = .nullify }
      if isNewer { (dropped.isRequired, dropped.inverse) = (false, nil) }
      return dropped
    }
  }

  var entities: [Int: Entry] = [:]
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

  /// A program's models with each many-to-many relationship on the side on which others have it already: which side a
  /// program names depends on what it calls its classes, and on whether it has an inverse.
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

  /// A class that a program has below another, and programs before had as one of its own, or that it has as one of its
  /// own, and others that are not older have below another; nil for none.
  ///
  /// The rows of both would not be the same: each device would send its own as new ones.
  func movedClass(in schema: SyncSchema) -> String? {
    func names(_ name: SyncName) -> [String] { [name.name, name.originalName].compactMap(\.self) }
    let roots = Set(schema.entities.flatMap { names($0.name) })
    let present = entities.values.reduce(into: Set<String>()) { $0.formUnion($1.names) }
    let known = present.subtracting(roots)
    if let moved = schema.entities.lazy.flatMap(\.classes).first(where: { !known.isDisjoint(with: names($0)) }) {
      return moved.name
    }
    let notOlder = entities.values.filter { !$0.version.lexicographicallyPrecedes(schema.version) }
    let below = notOlder.reduce(into: Set<String>()) { below, entry in
      for each in entry.classes.values { below.formUnion(each.names) }
    }.subtracting(present)
    return schema.entities.first { !below.isDisjoint(with: names($0.name)) }?.name.name
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
      // Of programs with one version the first one's stays: rows would claim their unique values anew
      // each time that another begins.
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
        + entry.uniqueness.filter { !uniqueness.contains($0) }.map { fields in
          // Of partners, two rows may have had the same.
          DroppedUniqueness(fields: fields, sequence: isPartner(fields, of: own.number) ? 0 : sequence)
        }
      entry.dropped = dropped.isEmpty ? nil : Array(dropped.suffix(Self.mostDropped))
      entry.uniqueness = uniqueness
      entry.partners = entity.partners.map { Set($0.compactMap { own.fields[$0] }) }
    }
    entities[own.number] = entry
  }
}
