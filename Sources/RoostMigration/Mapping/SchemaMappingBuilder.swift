import RoostCore
import RoostSQL

/// Finds out what of a stored schema became what of a new one.
struct SchemaMappingBuilder {
  let old: StoredSchema
  let new: SchemaInfo
  /// The new entities as the file will describe them, by name.
  let definitions: [String: EntityDefinition]
  var mapping = SchemaMapping()
  /// What new properties were. The key tells a property from one that a subclass inherits.
  private(set) var properties: [ObjectIdentifier: StoredProperty] = [:]
  /// The old properties that are something in the new schema.
  var kept: Set<String> = []
  /// What else became a property that had one of its name in several subclasses.
  var others: [ObjectIdentifier: [StoredProperty]] = [:]
  /// The classes that have what rows of others had as well, by the old property's name.
  var heirs: [String: [EntityInfo]] = [:]

  init(from stored: StoreDefinition, to schema: SchemaInfo) throws {
    old = StoredSchema(stored)
    new = schema
    definitions = Dictionary(
      try schema.entities.map { ($0.name, try EntityDefinition($0)) }, uniquingKeysWith: { first, _ in first })
    matchEntities()
    for entity in schema.entities { try matchProperties(of: entity) }
    for entity in schema.entities { matchMovedUp(to: entity) }
    for entity in schema.entities { noteLeavers(of: entity) }
    for entity in schema.entities { matchMovedDown(to: entity) }
    for entity in schema.entities { checkKinds(of: entity) }
    for root in schema.entities where root.superentity == nil { addTable(of: root) }
    for table in schema.joinTables { addJoinRows(of: table) }
    findDrops()
    for entity in schema.entities { checkUniqueness(of: entity) }
    for entity in schema.entities { noteFormerNames(of: entity) }
  }

  // MARK: - What was what

  private mutating func matchEntities() {
    let new = self.new.entities.compactMap { definitions[$0.name] }
    for (index, match) in NameMatch.pairs(new, old.definition.entities) {
      mapping.sources[new[index].name] = old.definition.entities[match]
    }
  }

  private mutating func matchProperties(of entity: EntityInfo) throws {
    guard let source = mapping.sources[entity.name], let definition = definitions[entity.name] else { return }
    for (index, match) in NameMatch.pairs(definition.properties, source.properties) {
      guard let property = entity.property(named: definition.properties[index].name) else { continue }
      keep(property, StoredProperty(entity: source, property: source.properties[match]))
    }
  }

  private mutating func noteFormerNames(of entity: EntityInfo) {
    if let source = mapping.sources[entity.name] {
      mapping.formerNames[HistoryFields.Name(entity.name)] = HistoryFields.Name(source.name)
    }
    for property in entity.ownProperties {
      guard let stored = stored(property) else { continue }
      mapping.formerNames[HistoryFields.Name(property)] = HistoryFields.Name(
        stored.property.name, of: stored.entity.name, root: old.root(of: stored.entity).name)
    }
  }

  mutating func keep(_ property: PropertyInfo, _ stored: StoredProperty) {
    properties[ObjectIdentifier(property.details)] = stored
    kept.insert(stored.name)
  }

  /// What a new property was; nil when it is new.
  func stored(_ property: PropertyInfo) -> StoredProperty? { properties[ObjectIdentifier(property.details)] }

  /// The old table whose rows become those of an entity's table.
  func sourceTable(of entity: EntityInfo) -> String? {
    entity.root.selfAndDescendants.lazy.compactMap { mapping.sources[$0.name] }.first.map(old.table)
  }

  /// The names in an old table's type column of the rows that become those of some entities, and of those below.
  func formerTypes(of entities: [EntityInfo]) -> [SQLExpression] {
    formerNames(of: entities).sorted().map { .text($0) }
  }

  /// What some entities, and those below, were called.
  func formerNames(of entities: [EntityInfo]) -> Set<String> {
    Set(entities.flatMap(\.selfAndDescendants).compactMap { mapping.sources[$0.name]?.name })
  }

  /// The old names of the classes that had a property, and that there still are.
  func stayingTypes(of stored: StoredProperty) -> Set<String> {
    Set(old.family(stored.entity).map(\.name)).intersection(mapping.sources.values.map(\.name))
  }

  // MARK: - Tables

  private mutating func addTable(of root: EntityInfo) {
    var table = SchemaMapping.Table(entity: root)
    table.source = sourceTable(of: root)
    guard let source = table.source, let sourceRoot = old.entity(named: source) else {
      mapping.tables.append(table)
      return
    }
    let known = root.selfAndDescendants.compactMap { mapping.sources[$0.name] }
    checkThatRowsAreTogether(root, source, known)
    table.values[primaryKeyColumn] = column(primaryKeyColumn)
    addTypes(to: &table, sourceRoot)
    for property in root.selfAndDescendants.flatMap(\.ownProperties) {
      switch property.kind {
      case .attribute(let codec) where property.isStored: addAttribute(property, codec, to: &table)
      case .toOne(let relationship): addToOne(property, relationship, to: &table)
      case .attribute, .toMany: break
      }
    }
    mapping.tables.append(table)
  }

  /// Rows of one table must all come from one, which has no others: keys would be those of several rows.
  private mutating func checkThatRowsAreTogether(
    _ root: EntityInfo, _ source: String, _ known: [EntityDefinition]
  ) {
    for entity in known where old.table(of: entity) != source {
      mapping.checks.append(
        MigrationCheck(
          model: entity.name, property: nil, message: "It had a table of its own, and is now in that of \(root.name).",
          rows: rows(of: old.table(of: entity)),
          remedy: "Bring its rows over in a stage:\n"
            + ".custom(from: V1.self, to: V2.self, steps: [.drop(V1.\(entity.name).self)]) { old, new in … }",
          drop: MigrationCheck.Drop(name: entity.name, mayBeRenamed: true)))
    }
    for table in mapping.tables where table.source == source {
      let isRoot = mapping.sources[root.name]?.name == source
      let (leaver, other) = isRoot ? (table.entity, root) : (root, table.entity)
      let former = mapping.sources[leaver.name]?.name ?? leaver.name
      mapping.checks.append(
        MigrationCheck(
          model: leaver.name, property: nil,
          message: "It was in the table of \(source), as \(other.name) is, and has now one of its own.",
          rows: rows(of: source),
          remedy: "Give the new class another name, and bring the rows over in a stage:\n"
            + ".custom(from: V1.self, to: V2.self, steps: [.drop(V1.\(former).self)]) { old, new in … }"))
    }
  }

  private mutating func addTypes(to table: inout SchemaMapping.Table, _ source: EntityDefinition) {
    let family = old.family(source)
    var names: [String: String] = [:]
    for entity in table.entity.selfAndDescendants {
      if let was = mapping.sources[entity.name] { names[was.name] = entity.name }
    }
    guard old.isInHierarchy(source) else {
      if table.entity.isMixed { table.values[entityNameColumn] = .text(names[source.name] ?? table.entity.name) }
      return
    }
    let type = column(entityNameColumn)
    let renamed = names.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    table.values[entityNameColumn] =
      renamed.isEmpty
      ? type
      : .conditional(
        renamed.map { SQLBranch(when: .binary(.equal, type, .text($0.key)), then: .text($0.value)) }, otherwise: type)
    let gone = family.map(\.name).filter { names[$0] == nil }
    if !gone.isEmpty { table.filter = !.inList(type, gone.sorted().map { .text($0) }) }
  }

  // MARK: - Parts of queries

  func column(_ name: String) -> SQLExpression { .column(SchemaMapping.oldRow, name) }

  /// The keys of the old rows that become those of a property's class; nil when none do.
  func rows(
    for property: PropertyInfo, in table: SchemaMapping.Table, showing value: SQLExpression? = nil,
    where condition: SQLExpression? = nil
  ) -> SQLSelect? {
    guard let source = table.source else { return nil }
    var isOfClass = table.filter
    if property.owner !== table.entity {
      let types = formerTypes(of: [property.owner])
      if types.isEmpty { return nil }
      isOfClass =
        old.entity(named: source).map(old.isInHierarchy) ?? false
        ? .inList(column(entityNameColumn), types) : nil
    }
    let conditions = [isOfClass, condition].compactMap { $0 }
    return rows(of: source, showing: value, where: conditions.isEmpty ? nil : .all(conditions))
  }

  /// The keys of an old table's rows that meet a condition, with a value to show.
  func rows(of table: String, showing value: SQLExpression? = nil, where condition: SQLExpression? = nil) -> SQLSelect {
    SQLSelect(
      ([column(primaryKeyColumn)] + (value.map { [$0] } ?? [])).map { SQLResultColumn($0) },
      from: .table(table, alias: SchemaMapping.oldRow), where: condition)
  }
}
