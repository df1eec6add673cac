import Synchronization

/// What fetching and saving know of a schema's model types: tables, columns, inverses. Not changed once it is built.
package final class SchemaInfo: Sendable {
  /// In the order of their ordinals.
  package let entities: [EntityInfo]
  /// The tables that to-many relationships need besides the entities' own, ordered by name.
  package let joinTables: [JoinTable]
  /// Whether the entity of an ordinal has to-many relationships: asked for each row written.
  let hasLists: [Bool]
  /// The places of each entity's relationships among its properties, by its ordinal.
  let relationshipIndexes: [[Int]]
  /// Whether models of the class of an ordinal refer to others, or others to them.
  let isRelated: [Bool]
  /// The one-to-one relationships of each entity, by ordinal.
  let partners: [[PropertyInfo]]
  let hasPartners: Bool
  /// Whether unique constraints hold for the entity of an ordinal.
  let isUnique: [Bool]
  let hasBoundedLists: Bool
  /// What delete rules reach.
  let deleteRules: DeleteRules
  /// Whether rows of some table may take others of it along when they are deleted.
  let cascadesInCircles: Bool
  /// The entities with attributes whose large values are in files.
  package let externalEntities: [EntityInfo]
  /// The full-text indexes of all entities.
  package let fullTextIndexes: [FullTextIndex]
  /// The ordinal of each entity's root, whose keys it shares; nil when no class inherits from another.
  let rootOrdinals: [Int]?
  private let byType: [ObjectIdentifier: EntityInfo]
  private let byName: [String: EntityInfo]

  /// - Parameters:
  ///   - types: the model types; those that they refer to are added.
  ///   - tablePrefix: what is in front of the tables' names, for new ones beside old ones.
  /// - Throws: `SwiftDataError.invalidSchema` when they contradict each other, naming model and property.
  package convenience init(_ types: [any PersistentModel.Type], tablePrefix: String = "") throws {
    let info = try SchemaInfoBuilder(types, tablePrefix: tablePrefix).result.get()
    self.init(entities: info.entities, joinTables: info.joinTables)
  }

  /// The tables that models and links have rows in.
  var tablesOfRows: Set<String> { Set(entities.map(\.table)).union(joinTables.map(\.name)) }

  package init(entities: [EntityInfo] = [], joinTables: [JoinTable] = []) {
    self.entities = entities
    self.joinTables = joinTables
    hasLists = entities.map { !$0.lists.isEmpty }
    relationshipIndexes = entities.map { $0.relationships.map(\.index) }
    isRelated = entities.map { !$0.relationships.isEmpty || $0.isReferenced }
    partners = entities.map { entity in
      entity.relationships.filter { $0.column != nil && $0.relationship?.inverseIsToOne ?? false }
    }
    hasPartners = partners.contains { !$0.isEmpty }
    isUnique = entities.map { !$0.constraints.isEmpty }
    hasBoundedLists = entities.contains { !$0.boundedLists.isEmpty }
    deleteRules = DeleteRules(entities)
    cascadesInCircles = Self.cascadesInCircles(entities)
    externalEntities = entities.filter { !$0.externals.isEmpty }
    fullTextIndexes = entities.flatMap(\.fullTextIndexes)
    rootOrdinals = entities.contains(where: \.isInHierarchy) ? entities.map(\.root.ordinal) : nil
    byType = Dictionary(entities.map { (ObjectIdentifier($0.type), $0) }, uniquingKeysWith: { first, _ in first })
    byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func cascadesInCircles(_ entities: [EntityInfo]) -> Bool {
    var taken: [Int: Set<Int>] = [:]
    for entity in entities {
      for relationship in entity.relationships.lazy.compactMap(\.relationship) where relationship.deleteRule == .cascade
      {
        taken[entity.root.ordinal, default: []].insert(relationship.destination.root.ordinal)
      }
    }
    return taken.keys.contains { start in
      var (reached, waiting): (Set<Int>, [Int]) = ([], [start])
      while let next = waiting.popLast() {
        for ordinal in taken[next] ?? [] where reached.insert(ordinal).inserted { waiting.append(ordinal) }
      }
      return reached.contains(start)
    }
  }

  package func entity(for type: any PersistentModel.Type) -> EntityInfo? { byType[ObjectIdentifier(type)] }

  private static let standaloneSchemas = Mutex<[ObjectIdentifier: SchemaInfo?]>([:])

  /// The schema of a model type and what it refers to, for models that are in no container; nil if it has mistakes.
  package static func standalone(_ type: any PersistentModel.Type) -> SchemaInfo? {
    if let known = standaloneSchemas.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let schema = try? SchemaInfo([type])
    standaloneSchemas.withLock { $0[ObjectIdentifier(type)] = .some(schema) }
    return schema
  }

  package func entity(named name: String) -> EntityInfo? { byName[name] }

  /// The entity of an identifier, which may be older than the entity's present name.
  package func entity(of identifier: PersistentIdentifier) -> EntityInfo? {
    byName[identifier.entityName] ?? entities.first { $0.originalName == identifier.entityName }
  }
}
