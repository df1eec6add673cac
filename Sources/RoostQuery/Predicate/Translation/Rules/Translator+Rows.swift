internal import Foundation
import RoostCore
internal import RoostSQL

extension Translator {
  /// The alias under which a row's columns are read.
  func alias(_ row: RowTerm) -> String {
    usesTables.insert(row.entity.table)
    if let alias = row.alias {
      rows[alias] = row
      return alias
    }
    let alias = row.scope.alias(of: row.entity.table, key: row.key, new: newAlias)
    rows[alias] = row
    joinedAliases.insert(alias)
    readsOtherRows = true
    return alias
  }

  /// A property of a row.
  func term(_ property: PropertyInfo, of row: RowTerm) -> Term {
    if let column = property.column { readColumns.insert(column) }
    switch property.kind {
    case .attribute(let codec):
      let column = SQLExpression.column(alias(row), property.column ?? property.name)
      if property.isExternal {
        return codec.isOptional ? .optional(isNil: .isNull(column), .external(property)) : .external(property)
      }
      let meaning = ColumnMeaning(codec)
      // Others may have written a number that is no Float: Swift rounds it when it reads, and so does this.
      let isFloat = meaning.codec == _Native<Float>.self
      var value = ValueTerm(sql: isFloat ? .function(.float, [column]) : column, meaning: meaning)
      if meaning.semantics == .json { value.json = JSONPlace(text: column, indexes: row.entity.fieldIndexes(property)) }
      return codec.isOptional ? .optional(isNil: .isNull(column), .value(value)) : .value(value)
    case .toOne(let relationship):
      let key = key(of: relationship, owner: row)
      var target = RowTerm(entity: relationship.destination, key: key, alias: nil, scope: row.scope)
      guard relationship.isOptional else { return .row(target) }
      if mayBeLeftBehind(relationship) { target.presentKey = .subquery(self.row(key, of: relationship.destination)) }
      return .optional(isNil: .isNull(target.presentKey ?? key), .row(target))
    case .toMany(let relationship):
      let elements = Term.elements(ElementsTerm(source: .relationship(relationship, owner: row)))
      return relationship.isOptional ? .optional(isNil: .false, elements) : elements
    }
  }

  /// The key of the row a to-one relationship refers to, or NULL.
  private func key(of relationship: RelationshipInfo, owner: RowTerm) -> SQLExpression {
    let column: SQLExpression
    let table: String
    let condition: SQLExpression
    switch relationship.storage {
    case .column(let name):
      let column = SQLExpression.column(alias(owner), name)
      guard relationship.isOptional, mayReferToDeleted(relationship) else { return column }
      return .subquery(row(column, of: relationship.destination))
    case .inverseColumn(let name):
      (table, column, condition) = (relationship.destination.table, .column(primaryKeyColumn), .column(name))
    case .joinTable(let name, let own, let other):
      (table, column, condition) = (name, .column(other), .column(own))
    }
    usesTables.insert(relationship.destination.table)
    readsOtherRows = true
    // At most one row, whatever the file says: a second one would double the owner.
    let inner = newAlias()
    return .subquery(
      SQLSelect(
        [SQLResultColumn(.aggregate(.minimum, column.inTable(inner), isDistinct: false))],
        from: .table(table, alias: inner),
        where: .binary(.equal, condition.inTable(inner), owner.key)))
  }

  /// Whether a relationship may refer to a model that the context deletes. Without an inverse nothing pending says that
  /// the save will take the reference away.
  private func mayReferToDeleted(_ relationship: RelationshipInfo) -> Bool {
    relationship.inverse == nil && isPending(relationship.destination.table)
  }

  /// Whether the other side's delete rule leaves the key of a model that is gone, or to be deleted. The relationship is
  /// nil then; whoever looks for a certain key needs no more than the column.
  private func mayBeLeftBehind(_ relationship: RelationshipInfo) -> Bool {
    guard case .column = relationship.storage, let inverse = relationship.inverse else { return false }
    return switch relationship.destination.properties[inverse].relationship?.deleteRule {
    case .noAction: true
    case .deny: isPending(relationship.destination.table)
    default: false
    }
  }

  /// The key of a row, if it is there.
  private func row(_ key: SQLExpression, of entity: EntityInfo) -> SQLSelect {
    usesTables.insert(entity.table)
    readsOtherRows = true
    let alias = newAlias()
    let own = SQLExpression.column(alias, primaryKeyColumn)
    return SQLSelect([SQLResultColumn(own)], from: .table(entity.table, alias: alias), where: .binary(.equal, own, key))
  }

  /// A row of its own `SELECT`, whose elements meet their conditions and `condition`.
  func select(
    _ elements: ElementsTerm, where condition: ((Term) throws -> SQLExpression)? = nil
  ) throws -> (SQLSelect, element: Term) {
    let alias = newAlias()
    let element: Term
    var scope: QueryScope?
    var select = SQLSelect()
    switch elements.source {
    case .json(let array, let type, let slice):
      select.from = .function(.jsonEach, [array], alias: alias)
      if let slice {
        let key = SQLExpression.column(alias, "key")
        select.restrict(.binary(.greaterOrEqual, key, .integer(Int64(slice.lowerBound))))
        select.restrict(.binary(.less, key, .integer(Int64(slice.upperBound))))
      }
      element = try JSONArrays.element(of: array, alias, type)
    case .relationship(let relationship, let owner):
      let inner = QueryScope(depth: owner.scope.depth + 1)
      let (table, isOwned, row) = target(relationship, of: owner, alias, inner)
      select.from = table
      select.restrict(isOwned)
      usesTables.formUnion([relationship.destination.table, owner.entity.table])
      readsOtherRows = true
      element = .row(row)
      scope = inner
    }
    for filter in elements.filters + (condition.map { [$0] } ?? []) {
      let (test, failure) = try collectingFailures { try filter(element) }
      select.restrict(.conjunction([test, .negation(failure)]))
    }
    if let filter = select.filter { select.filter = .conjunction([filter]) }
    select.joins = scope?.joins ?? []
    select.tightenJoins()
    select.beginAtRelatedRows()
    select.filter = select.filter?.unnested
    return (select, element)
  }

  /// Where the elements of a relationship are: the table, the condition that they are the owner's, and the element.
  private func target(
    _ relationship: RelationshipInfo, of owner: RowTerm, _ alias: String, _ scope: QueryScope
  ) -> (SQLTable, SQLExpression, RowTerm) {
    let entity = relationship.destination
    let name: String
    let condition: SQLExpression
    let row: RowTerm
    switch relationship.storage {
    case .inverseColumn(let column), .column(let column):
      name = entity.table
      condition = .binary(.equal, .column(alias, column), owner.key)
      row = RowTerm(entity: entity, key: .column(alias, primaryKeyColumn), alias: alias, scope: scope)
    case .joinTable(let table, let own, let other):
      name = table
      let isOwned = SQLExpression.binary(.equal, .column(alias, own), owner.key)
      let key = SQLExpression.column(alias, other)
      condition =
        mayReferToDeleted(relationship) ? .conjunction([isOwned, .exists(self.row(key, of: entity))]) : isOwned
      row = RowTerm(entity: entity, key: key, alias: nil, scope: scope)
    }
    return (.table(name, alias: alias), condition, row)
  }

  /// Whether there is an element that meets the condition.
  func exists(
    _ elements: ElementsTerm, where condition: ((Term) throws -> SQLExpression)? = nil
  ) throws -> SQLExpression {
    .exists(try select(elements, where: condition).0)
  }

  func count(_ elements: ElementsTerm) throws -> Term {
    var (select, _) = try select(elements)
    select.columns = [SQLResultColumn(.countAll)]
    return .value(ValueTerm(sql: .subquery(select), meaning: .integer))
  }
}

extension SQLExpression {
  fileprivate func inTable(_ table: String) -> SQLExpression {
    if case .column(nil, let name) = self { .column(table: table, name: name) } else { self }
  }
}
