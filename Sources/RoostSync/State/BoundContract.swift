import RoostCore
import RoostSQL
import SyncMerge

/// A contract, with the numbers that the server has for its classes and fields.
struct BoundContract: Sendable {
  final class Entity: Sendable {
    let synced: SyncedEntity
    let number: Int
    /// In the order of the entity's fields.
    let numbers: [Int]
    /// The indexes of fields by their numbers.
    let indexes: [Int: Int]
    /// The numbers of classes by the names in the type column; empty where there is one class.
    let classes: [String: Int]
    let rules: SyncRules
    let sql: SyncedRowSQL
    /// The indexes of fields' columns among those that are read; nil for a field without one.
    let columns: [Int?]
    /// The indexes of fields of which a later program may have values that this one cannot read.
    let unreadable: [Int]
    /// The indexes of fields that have another default in each row, such as a new UUID.
    let differing: [Int]

    init(_ synced: SyncedEntity, _ number: Int, _ numbers: [Int], classes: [String: Int], _ rules: SyncRules) {
      (self.synced, self.number, self.numbers, self.classes, self.rules) = (synced, number, numbers, classes, rules)
      indexes = Dictionary(numbers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      sql = SyncedRowSQL(synced)
      unreadable = synced.fields.indices.filter { synced.fields[$0].mayBeUnreadable }
      differing = synced.fields.indices.filter { synced.fields[$0].differsByRow }
      columns = synced.fields.map { [sql] in $0.column.flatMap { sql.indexes[$0] } }
    }

    var root: EntityInfo { synced.root }
    var fields: [SyncedField] { synced.fields }

    /// Whether its rows may refer to each other.
    var refersToItself: Bool { synced.refersToItself }
  }

  /// A class whose rows go with others, and how those are found that go with one: the parameter is its key.
  struct Member: Sendable {
    let entity: Entity
    let sql: String
  }

  /// By the ordinals of their roots.
  let byOrdinal: [Int: Entity]
  let byNumber: [Int: Entity]
  /// See ``SyncContract/leftOut(of:)``.
  let leftOut: [String]
  /// Their numbers.
  let leftOutNumbers: Set<Int>
  /// The fields that are not synced any more, by the numbers of their classes, with whether the
  /// program has them all the same.
  let missing: [Int: [Int: Bool]]
  /// See ``SyncContract/localNames``.
  let localNames: [String: Set<String>]
  let limits: SyncLimits
  /// Each before those whose rows its own keep from being deleted, as far as there is such an order.
  let inOrderOfDeletion: [Entity]
  /// The classes whose rows go with those of another one, by the ordinal of its root.
  let members: [Int: [Member]]
  /// Those, and the classes whose rows keep others from being deleted.
  let dependents: [Int: [Member]]
  /// The numbers of ``SyncSchema/deletedFirst``.
  let deletedFirst: Set<Int>
  /// The fields that no two rows have the same values in, by the numbers of classes.
  let uniqueness: [Int: [[Int]]]
  /// The relationships by which rows go with others whose deletions come first, or keep them: the
  /// fields, by the numbers of classes.
  let keeping: [Int: Set<Int>]

  /// nil where the numbers are not those of all fields: the program has others than when it last spoke with the server.
  init?(_ contract: SyncContract, _ facts: SyncSessionFacts) {
    var byOrdinal: [Int: Entity] = [:]
    for synced in contract.entities {
      guard let numbers = facts.numbers.entities[synced.root.name], let synced = synced.numbered(by: facts.numbers)
      else { return nil }
      let fields = synced.fields.map { numbers.fields[$0.definition.name.name] }
      guard !fields.contains(nil) else { return nil }
      let classes = synced.root.isMixed ? synced.classes.map { numbers.classes[$0.name] } : []
      guard !classes.contains(nil) else { return nil }
      let known = fields.compactMap(\.self)
      byOrdinal[synced.root.ordinal] = Entity(
        synced, numbers.number, known,
        classes: Dictionary(uniqueKeysWithValues: zip(synced.classes.map(\.name), classes.compactMap(\.self))),
        facts.rules[numbers.number] ?? SyncRules())
    }
    self.byOrdinal = byOrdinal
    byNumber = Dictionary(byOrdinal.values.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    leftOut = contract.leftOut(of: facts)
    leftOutNumbers = Set(leftOut.compactMap { facts.numbers.entities[$0]?.number })
    let localNames = contract.localNames
    let given = Dictionary(grouping: facts.allNumbers.flatMap(\.entities.values), by: \.number)
    let missing = byOrdinal.values.map { entity in
      let local = localNames[entity.root.name] ?? []
      let gone = (given[entity.number] ?? []).flatMap(\.fields).filter { entity.indexes[$0.value] == nil }
      return (entity.number, Dictionary(gone.map { ($0.value, local.contains($0.key)) }) { $0 || $1 })
    }
    (self.localNames, self.missing) = (localNames, Dictionary(missing.filter { !$0.1.isEmpty }) { first, _ in first })
    limits = facts.limits
    let byName = Dictionary(byOrdinal.values.map { ($0.root.name, $0) }, uniquingKeysWith: { first, _ in first })
    inOrderOfDeletion = contract.schema.inOrderOfDeletion.compactMap { byName[$0] }
    let all = byOrdinal.values.sorted { $0.number < $1.number }
    members = Self.members(of: all) { $0.deleteRule == .cascade }
    dependents = Self.members(of: all) {
      $0.deleteRule == .cascade || $0.deleteRule.keepsRow(isRequired: $0.isRequired)
    }
    let first = contract.schema.deletedFirst
    deletedFirst = Set(first.compactMap { byName[$0]?.number })
    var (uniqueness, keeping): ([Int: [[Int]]], [Int: Set<Int>]) = ([:], [:])
    for definition in contract.schema.entities {
      guard let numbers = facts.numbers.entities[definition.name.name] else { continue }
      let constraints = definition.uniqueness.map { $0.compactMap { numbers.fields[$0] } }
      if !constraints.isEmpty { uniqueness[numbers.number] = constraints }
      let relationships = definition.fields.filter { field in
        field.reference.map { first.contains($0.destination) && contract.schema.matters($0) } ?? false
      }
      if !relationships.isEmpty {
        keeping[numbers.number] = Set(relationships.compactMap { numbers.fields[$0.name.name] })
      }
    }
    (self.uniqueness, self.keeping) = (uniqueness, keeping)
  }

  private static func members(of entities: [Entity], where isOne: (SyncReference) -> Bool) -> [Int: [Member]] {
    var members: [Int: [Member]] = [:]
    for entity in entities {
      for field in entity.fields where field.definition.reference.map(isOne) ?? false {
        guard case .reference(_, let destination) = field.kind, let column = field.column else { continue }
        let (key, table) = (quotedIdentifier(primaryKeyColumn), quotedIdentifier(entity.root.table))
        let sql = "SELECT \(key) FROM \(table) WHERE \(quotedIdentifier(column)) = ?"
        members[destination.root.ordinal, default: []].append(Member(entity: entity, sql: sql))
      }
    }
    return members
  }
}
