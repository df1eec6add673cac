package import RoostSQL

/// The tables and indexes that a schema stands for in the file.
package enum TableDefinitions {
  /// Everything to create for an entity: its table and indexes. Nothing for a subclass, whose rows are in its root's.
  package static func statements(for entity: EntityInfo, in schema: SchemaInfo) -> [SQLStatement] {
    if entity.superentity != nil { return [] }
    return [.createTable(table(for: entity))] + indexes(for: entity).map { .createIndex($0) }
  }

  package static func table(for entity: EntityInfo) -> SQLCreateTable {
    // Other programs may choose a row's key, but keys that are not positive stand for rows that are not stored yet.
    let isPositive = SQLExpression.binary(.greater, .column(primaryKeyColumn), .integer(0))
    var columns = [SQLColumnDefinition(primaryKeyColumn, .integer, isPrimaryKey: true, check: isPositive)]
    if entity.isMixed {
      // What another program inserts is one of the root's unless it says something else.
      columns.append(SQLColumnDefinition(entityNameColumn, .text, isNotNull: true, default: .text(entity.name)))
    }
    for property in entity.selfAndDescendants.flatMap(\.ownProperties) {
      guard let column = property.column else { continue }
      // Rows of other classes have nothing in a subclass's columns.
      let isNotNull = !property.isOptional && property.owner === entity
      switch property.kind {
      case .attribute(let codec) where property.isExternal:
        columns.append(
          SQLColumnDefinition(
            column, .any, isNotNull: isNotNull, check: ExternalReference.check(column, codec.columnType)))
      case .attribute(let codec):
        columns.append(SQLColumnDefinition(column, codec.columnType.sqlType, isNotNull: isNotNull))
      case .toOne(let relationship):
        columns.append(
          SQLColumnDefinition(column, .integer, isNotNull: isNotNull, references: reference(relationship)))
        if isListed(relationship) { columns.append(SQLColumnDefinition(positionColumnName(of: column), .real)) }
      case .toMany:
        break
      }
    }
    return SQLCreateTable(entity.table, columns)
  }

  /// Whether the other side of a to-one relationship is a list.
  private static func isListed(_ relationship: RelationshipInfo) -> Bool {
    guard let inverse = relationship.inverse else { return false }
    if case .toMany = relationship.destination.properties[inverse].kind { return true }
    return false
  }

  /// The foreign key of a to-one relationship; its action is the delete rule that the other side declares.
  ///
  /// `.noAction` leaves dangling references on purpose, so it has no foreign key.
  static func reference(_ relationship: RelationshipInfo) -> SQLReference? {
    let rule = relationship.inverse.flatMap { relationship.destination.properties[$0].relationship?.deleteRule }
    if rule == .noAction { return nil }
    let action: SQLReference.Action =
      switch rule {
      case .cascade: .cascade
      // Checked at commit, so that a save may delete both sides in any order.
      case .deny: .noAction
      case .nullify, .noAction, nil: .setNull
      }
    return SQLReference(relationship.destination.table, [primaryKeyColumn], onDelete: action)
  }

  /// The indexes that serve speed alone; none for a subclass.
  static func plainIndexes(for entity: EntityInfo) -> [SQLCreateIndex] {
    if entity.superentity != nil { return [] }
    return indexes(for: entity).filter { !$0.isUnique && $0.filter == nil }.map { index in
      var index = index
      index.ifNotExists = true
      return index
    }
  }

  /// All of a schema's, but for those of texts.
  package static func indexes(of schema: SchemaInfo) -> [SQLCreateIndex] {
    schema.entities.filter { $0.superentity == nil }.flatMap { indexes(for: $0) }
      + schema.joinTables.map { index(for: $0) }
  }

  package static func indexes(for root: EntityInfo) -> [SQLCreateIndex] {
    var indexes: [SQLCreateIndex] = []
    var covered: Set<[SQLExpression]> = []
    let entities = root.selfAndDescendants
    func add(_ keys: [IndexKey], of entity: EntityInfo, isUnique: Bool, isOfSome: Bool = false) {
      let expressions = keys.compactMap { $0.expression(in: entity) }
      guard !expressions.isEmpty, isOfSome || covered.insert(expressions).inserted else { return }
      let names = keys.map { key in
        ([entity.properties[key.property].column ?? ""] + key.keys).joined(separator: ".")
      }
      let name =
        ([root.table] + (isOfSome ? [entity.name] : []) + names).joined(separator: "_")
        + (isUnique ? "_unique" : "_index")
      indexes.append(
        SQLCreateIndex(
          name, on: root.table, expressions.map { SQLOrder($0) }, isUnique: isUnique,
          where: isOfSome ? EntityStatements.isKind(entity) : nil))
    }
    func addConstraints(isOfSome: Bool) {
      for entity in entities {
        for keys in entity.uniqueness
        where EntityInfo.Constraint(owner: entity, properties: keys).isOfSome == isOfSome {
          add(keys, of: entity, isUnique: true, isOfSome: isOfSome)
        }
      }
    }
    addConstraints(isOfSome: false)
    for entity in entities {
      for property in entity.ownProperties {
        guard case .toOne(let relationship) = property.kind, let column = property.column else { continue }
        add([IndexKey(property: property.index)], of: entity, isUnique: false)
        if isListed(relationship) { indexes.append(positionsIndex(on: root.table, column)) }
      }
    }
    for entity in entities {
      for index in entity.indices { add(index, of: entity, isUnique: false) }
    }
    addConstraints(isOfSome: true)
    for property in entities.flatMap(\.ownProperties) where property.isExternal {
      guard case .attribute(let codec) = property.kind, let column = property.column else { continue }
      indexes.append(
        SQLCreateIndex(
          "\(root.table)_\(column)_index", on: root.table, [SQLOrder(.column(column))],
          where: ExternalReference.isReference(column, codec.columnType)))
    }
    return withNamesOfTheirOwn(indexes)
  }

  /// The same, each with another name: `[\.list, \.position]` is named as the index of the places in `list` is.
  private static func withNamesOfTheirOwn(_ indexes: [SQLCreateIndex]) -> [SQLCreateIndex] {
    var taken: Set<String> = []
    return indexes.map { index in
      var index = index
      while !taken.insert(index.name.foldedName).inserted {
        // In front of the ending, by which a migration knows the index for one of ours.
        index.name.insert("_", at: index.name.lastIndex(of: "_") ?? index.name.endIndex)
      }
      return index
    }
  }

  /// The members of lists that have positions. They are few, so the index costs nothing where nobody moves a row.
  private static func positionsIndex(on table: String, _ column: String) -> SQLCreateIndex {
    let position = positionColumnName(of: column)
    return SQLCreateIndex(
      "\(table)\(position)_index", on: table, [column, position].map { SQLOrder(.column($0)) },
      where: .isNotNull(.column(position)))
  }

  /// The table of a many-to-many relationship, with both directions indexed.
  package static func statements(for joinTable: JoinTable) -> [SQLStatement] {
    [.createTable(table(for: joinTable)), .createIndex(index(for: joinTable))]
  }

  package static func table(for joinTable: JoinTable) -> SQLCreateTable {
    func column(_ name: String, _ target: EntityInfo) -> SQLColumnDefinition {
      SQLColumnDefinition(
        name, .integer, isNotNull: true,
        references: SQLReference(target.table, [primaryKeyColumn], onDelete: .cascade))
    }
    let (own, other) = (joinTable.ownerColumn, joinTable.destinationColumn)
    return SQLCreateTable(
      joinTable.name,
      [
        column(own, joinTable.owner), column(other, joinTable.destination),
        SQLColumnDefinition(positionColumnName(of: own), .real),
        SQLColumnDefinition(positionColumnName(of: other), .real),
      ],
      constraints: [.primaryKey([own, other])], isWithoutRowID: true)
  }

  static func index(for joinTable: JoinTable) -> SQLCreateIndex {
    let other = joinTable.destinationColumn
    return SQLCreateIndex(
      joinTable.name + "_" + other + "_index", on: joinTable.name, columns: [other, joinTable.ownerColumn])
  }
}

extension _ColumnType {
  var sqlType: SQLType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
