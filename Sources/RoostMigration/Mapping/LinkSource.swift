import RoostCore
import RoostSQL

/// Where a file has the links of a relationship, seen from the property's side.
struct LinkSource {
  private static let alias = "link"

  /// The table, as `link`.
  let table: String
  /// The column of the table that has the key of the model with the property.
  private(set) var owner: String
  /// The column that has the key of the related model.
  private(set) var target: String
  /// The column that has the owner's position among the target's.
  private(set) var ownerPosition: String?
  /// The column that has the target's position among the owner's.
  private(set) var targetPosition: String?

  init?(_ stored: StoredProperty, in schema: StoredSchema) {
    let inverse = schema.inverse(of: stored)
    if stored.isToOne {
      (table, owner, target) = (schema.table(of: stored.entity), primaryKeyColumn, stored.column)
      if let inverse, !inverse.isToOne { ownerPosition = positionColumnName(of: stored.column) }
    } else if let joinTable = stored.property.joinTable {
      table = joinTable
      // The side that names the table is its owner.
      let isOwner = Self.isNamed(joinTable, after: stored)
      guard let naming = isOwner ? stored : inverse else { return nil }
      let own = naming.entity.name
      let other = naming.property.name + (naming.property.name.foldedName == own.foldedName ? "_" : "")
      (owner, target) = isOwner ? (own, other) : (other, own)
      (ownerPosition, targetPosition) = (positionColumnName(of: owner), positionColumnName(of: target))
    } else if let inverse, inverse.isToOne {
      (table, owner, target) = (schema.table(of: inverse.entity), inverse.column, primaryKeyColumn)
      targetPosition = positionColumnName(of: inverse.column)
    } else {
      return nil
    }
  }

  static func isNamed(_ table: String, after stored: StoredProperty) -> Bool {
    let name = "\(stored.entity.name)_\(stored.property.name)"
    return table.hasPrefix(name) && table.dropFirst(name.count).allSatisfy { $0 == "_" }
  }

  /// The same links, seen from the other side.
  var reversed: LinkSource {
    var other = self
    (other.owner, other.target) = (target, owner)
    (other.ownerPosition, other.targetPosition) = (targetPosition, ownerPosition)
    return other
  }

  /// Whether the links are in the owners' own table.
  var isInOwnersTable: Bool { owner == primaryKeyColumn }

  func column(_ name: String) -> SQLExpression { .column(Self.alias, name) }

  /// All links, with what is asked for.
  func select(_ columns: [SQLExpression], where condition: SQLExpression? = nil) -> SQLSelect {
    var select = SQLSelect(
      columns.map { SQLResultColumn($0) }, from: .table(table, alias: Self.alias),
      where: .all([.isNotNull(column(owner)), .isNotNull(column(target))]))
    if let condition { select.restrict(condition) }
    return select
  }

  /// The key of the one that a row of the owners' table, called `old`, refers to, or another column of the join row.
  func value(_ name: String, in old: String) -> SQLExpression {
    if isInOwnersTable { return .column(old, name) }
    let isOwners = SQLExpression.binary(.equal, column(owner), .column(old, primaryKeyColumn))
    return .subquery(select([column(name)], where: isOwners))
  }

  /// Owners that refer to several, whose links no single column can hold.
  var owningSeveral: SQLSelect {
    var select = select([column(owner), .aggregate(.count, column(target), isDistinct: false)])
    select.groups = [column(owner)]
    select.having = .binary(.greater, .countAll, .integer(1))
    return select
  }
}
