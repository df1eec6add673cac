import RoostSQL

/// The tables and indexes that a schema stands for in the file.
enum TableDefinitions {
  /// Everything to create for an entity of its own: its table and indexes.
  static func statements(for entity: EntityInfo, in schema: SchemaInfo) -> [SQLStatement] {
    [.createTable(table(for: entity))] + indexes(for: entity).map { .createIndex($0) }
  }

  static func table(for entity: EntityInfo) -> SQLCreateTable {
    // Other programs may choose a row's key, but keys that are not positive stand for rows that are not stored yet.
    let isPositive = SQLExpression.binary(.greater, .column(primaryKeyColumn), .integer(0))
    var columns = [SQLColumnDefinition(primaryKeyColumn, .integer, isPrimaryKey: true, check: isPositive)]
    for property in entity.properties {
      guard let column = property.column else { continue }
      switch property.kind {
      case .attribute(let codec):
        columns.append(SQLColumnDefinition(column, codec.columnType.sqlType, isNotNull: !codec.isOptional))
      case .toOne(let relationship):
        columns.append(
          SQLColumnDefinition(
            column, .integer, isNotNull: !relationship.isOptional, references: reference(relationship)))
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
  private static func reference(_ relationship: RelationshipInfo) -> SQLReference? {
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

  /// The indexes that serve speed alone.
  static func plainIndexes(for entity: EntityInfo) -> [SQLCreateIndex] {
    indexes(for: entity).filter { !$0.isUnique && $0.filter == nil }.map { index in
      var index = index
      index.ifNotExists = true
      return index
    }
  }

  private static func indexes(for entity: EntityInfo) -> [SQLCreateIndex] {
    var indexes: [SQLCreateIndex] = []
    var covered: Set<[SQLExpression]> = []
    func add(_ keys: [IndexKey], isUnique: Bool) {
      let expressions = keys.compactMap { $0.expression(in: entity) }
      guard !expressions.isEmpty, covered.insert(expressions).inserted else { return }
      let names = keys.map { key in
        ([entity.properties[key.property].column ?? ""] + key.keys).joined(separator: ".")
      }
      let name = ([entity.table] + names).joined(separator: "_") + (isUnique ? "_unique" : "_index")
      indexes.append(
        SQLCreateIndex(name, on: entity.table, expressions.map { SQLOrder($0) }, isUnique: isUnique))
    }
    for constraint in entity.uniqueness { add(constraint, isUnique: true) }
    for property in entity.properties {
      guard case .toOne(let relationship) = property.kind, let column = property.column else { continue }
      add([IndexKey(property: property.index)], isUnique: false)
      if isListed(relationship) { indexes.append(placesIndex(on: entity.table, column)) }
    }
    for index in entity.indices { add(index, isUnique: false) }
    return indexes
  }

  /// The members of lists that have places. They are few, so the index costs nothing where nobody moves a row.
  private static func placesIndex(on table: String, _ column: String) -> SQLCreateIndex {
    let position = positionColumnName(of: column)
    return SQLCreateIndex(
      "\(table)\(position)_index", on: table, [column, position].map { SQLOrder(.column($0)) },
      where: .isNotNull(.column(position)))
  }

  /// The table of a many-to-many relationship, with both directions indexed.
  static func statements(for joinTable: JoinTable) -> [SQLStatement] {
    func column(_ name: String, _ target: EntityInfo) -> SQLColumnDefinition {
      SQLColumnDefinition(
        name, .integer, isNotNull: true,
        references: SQLReference(target.table, [primaryKeyColumn], onDelete: .cascade))
    }
    let (own, other) = (joinTable.ownerColumn, joinTable.destinationColumn)
    let table = SQLCreateTable(
      joinTable.name,
      [
        column(own, joinTable.owner), column(other, joinTable.destination),
        SQLColumnDefinition(positionColumnName(of: own), .real),
        SQLColumnDefinition(positionColumnName(of: other), .real),
      ],
      constraints: [.primaryKey([own, other])], isWithoutRowID: true)
    let index = SQLCreateIndex(joinTable.name + "_" + other + "_index", on: joinTable.name, columns: [other, own])
    return [.createTable(table), .createIndex(index)]
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
