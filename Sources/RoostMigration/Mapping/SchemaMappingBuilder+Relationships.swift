import RoostCore
import RoostSQL

extension SchemaMappingBuilder {
  mutating func addToOne(
    _ property: PropertyInfo, _ relationship: RelationshipInfo, to table: inout SchemaMapping.Table
  ) {
    guard let column = property.column, let source = table.source else { return }
    guard let links = links(property, relationship) else {
      requireSource(of: property, in: table)
      return
    }
    if isNarrower(property, relationship) { mapping.narrowed.insert("\(table.entity.table).\(column)") }
    checkTargets(of: property, relationship, links)
    let stored = stored(property)
    let isMoved = links.isInOwnersTable && isMoved(property)
    let value = isMoved ? value(of: property) : links.value(links.target, in: SchemaMapping.oldRow)
    table.values[column] = value
    if let position = links.ownerPosition {
      table.values[positionColumnName(of: column)] =
        isMoved
        ? self.value(of: property) { LinkSource($0, in: old)?.ownerPosition }
        : links.value(position, in: SchemaMapping.oldRow)
    }
    if !links.isInOwnersTable {
      mapping.checks.append(
        MigrationCheck(
          model: property.owner.name, property: property.name,
          message: "It refers to one model now, and some refer to several.", rows: links.owningSeveral,
          remedy: "Leave one in the older version, or let any stay and choose in the code of a stage:\n"
            + V1.stage(dropping: stored), isCertain: false,
          drop: stored.map { MigrationCheck.Drop(name: $0.name, mayBeRenamed: true) }))
    }
    let mayBeNil = stored.map { !$0.isToOne || $0.property.isOptional || $0.entity.name != source } ?? true
    if mayBeNil { requireSource(of: property, in: table, where: .isNull(value)) }
  }

  private mutating func requireSource(
    of property: PropertyInfo, in table: SchemaMapping.Table, where condition: SQLExpression? = nil
  ) {
    guard !property.isOptional, let rows = rows(for: property, in: table, where: condition) else { return }
    mapping.checks.append(
      MigrationCheck(
        model: property.owner.name, property: property.name,
        message: "It must refer to a model, and some refer to none.", rows: rows,
        remedy: "Make it optional, or have each row refer to a model before:\n"
          + ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { … }, didMigrate: nil)",
        isCertain: stored(property) == nil, gap: property))
  }

  mutating func addJoinRows(of table: JoinTable) {
    let owner = table.owner.ownProperties.first { property in
      guard case .joinTable(let name, let own, _)? = property.relationship?.storage else { return false }
      // Of a relationship of a class with itself both sides have the table.
      return name == table.name && own == table.ownerColumn && property.relationship?.destination === table.destination
    }
    var rows = SchemaMapping.JoinRows(table: table)
    if let owner, let relationship = owner.relationship {
      if let links = links(owner, relationship) { rows.sources = [links] + movedLinks(owner) }
      if isNarrower(owner, relationship) { mapping.narrowed.insert("\(table.name).\(table.destinationColumn)") }
      let former = inverse(relationship).map { formerTargets(of: $0) } ?? []
      if table.owner.superentity != nil, hasLeavers(owner) || !former.isEmpty {
        mapping.narrowed.insert("\(table.name).\(table.ownerColumn)")
      }
      for links in rows.sources { checkTargets(of: owner, relationship, links) }
    }
    mapping.joinRows.append(rows)
  }

  // MARK: - Classes that targets have left

  /// The old names of classes that a relationship referred to, and does not any more.
  private func formerTargets(of property: PropertyInfo) -> Set<String> {
    guard let name = stored(property)?.property.destination, let former = old.entity(named: name),
      let destination = property.relationship?.destination
    else { return [] }
    return Set(old.family(former).map(\.name)).intersection(mapping.sources.values.map(\.name))
      .subtracting(formerNames(of: [destination]))
  }

  private func hasLeavers(_ property: PropertyInfo) -> Bool {
    sources(of: property).contains { !stayingTypes(of: $0).isSubset(of: formerNames(of: [property.owner])) }
  }

  private func inverse(_ relationship: RelationshipInfo) -> PropertyInfo? {
    relationship.inverse.map { relationship.destination.properties[$0] }
  }

  /// Whether rows may refer to some that are of another class by now, which would read as missing ones.
  private func isNarrower(_ property: PropertyInfo, _ relationship: RelationshipInfo) -> Bool {
    if relationship.destination.superentity == nil { return false }
    return !formerTargets(of: property).isEmpty || inverse(relationship).map(hasLeavers) ?? false
  }

  /// What refers to rows that are of another class by now refers to nothing.
  private mutating func checkTargets(
    of property: PropertyInfo, _ relationship: RelationshipInfo, _ links: LinkSource
  ) {
    let types = formerTargets(of: property)
    guard !types.isEmpty, let stored = stored(property), let name = stored.property.destination,
      let former = old.entity(named: name),
      // Rows that leave a property are told of there.
      old.inverse(of: stored).map({ heirs[$0.name] == nil }) ?? true
    else { return }
    let isOfType = SQLExpression.inList(column(entityNameColumn), types.sorted().map { .text($0) })
    let others = rows(
      of: old.table(of: former), where: old.isInHierarchy(old.root(of: former)) ? isOfType : nil)
    mapping.checks.append(
      MigrationCheck(
        model: property.owner.name, property: property.name,
        message: "It refers to models that are no \(relationship.destination.name) any more.",
        rows: links.select(
          [links.column(links.owner), links.column(links.target)],
          where: .inSelect(links.column(links.target), others)),
        remedy: "Have it refer to a class that they are of.\n" + consent(stored.name, nil), isCertain: false,
        drop: MigrationCheck.Drop(name: stored.name, mayBeRenamed: false)))
  }

  /// What was an attribute cannot become a relationship, nor refer to other models, nor the converse.
  mutating func checkKinds(of entity: EntityInfo) {
    for property in entity.ownProperties {
      guard let stored = stored(property) else { continue }
      let isSame = property.relationship.map { leads(stored, to: $0.destination) } ?? !stored.isRelationship
      if isSame { continue }
      if stored.isRelationship, !stored.isToOne {
        guard let links = LinkSource(stored, in: old) else { continue }
        let owner = SQLSelect([SQLResultColumn(links.column(links.owner))], from: .table(links.table, alias: "link"))
        conflict(
          property, stored,
          rows: rows(of: old.table(of: stored.entity), where: .inSelect(column(primaryKeyColumn), owner)))
      } else {
        let value = column(stored.column)
        conflict(
          property, stored, rows: rows(of: old.table(of: stored.entity), showing: value, where: .isNotNull(value)))
      }
    }
  }

  /// Where the file has the links of a relationship; nil when there is no relationship between the same models.
  private mutating func links(_ property: PropertyInfo, _ relationship: RelationshipInfo) -> LinkSource? {
    let inverse = relationship.inverse.map { relationship.destination.properties[$0] }
    let (own, back) = (stored(property), inverse.flatMap(stored))
    let forward = own.flatMap { leads($0, to: relationship.destination) ? LinkSource($0, in: old) : nil }
    let backward = back.flatMap { leads($0, to: property.owner) ? LinkSource($0, in: old)?.reversed : nil }
    guard let forward, let own else { return backward }
    if let backward, let back, old.inverse(of: own) != back, backward.table != forward.table {
      mapping.checks.append(
        MigrationCheck(
          model: property.owner.name, property: property.name,
          message: "It and \(back.name) were two relationships, and are now one.",
          rows: backward.select([backward.column(backward.owner), backward.column(backward.target)]),
          remedy: "Let the other one go, and link what it linked in the code of a stage:\n"
            + V1.stage(dropping: back), isCertain: false,
          drop: MigrationCheck.Drop(name: back.name, mayBeRenamed: true)))
    }
    return forward
  }

  /// Whether an old relationship refers to what an entity was.
  private func leads(_ stored: StoredProperty, to entity: EntityInfo) -> Bool {
    guard let name = stored.property.destination, let destination = old.entity(named: name) else { return false }
    return sourceTable(of: entity) == old.table(of: destination)
  }
}
