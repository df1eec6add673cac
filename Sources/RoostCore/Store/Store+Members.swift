import RoostEngine
import RoostSQL

extension Store {
  /// The keys that a to-many relationship refers to, in their order, for several owners in one statement.
  func members(of relationship: RelationshipInfo, owners: [Int64]) throws -> [Int64: [Int64]] {
    ensureIndexes(of: [relationship.destination.table])
    guard let list = ListTable(relationship) else { return [:] }
    let select = SQLitePrinter.print(Self.select(list, owners: owners))
    let members = try pool.readUncancelled { connection in
      let statement = try connection.statement(select.sql)
      defer { statement.reset() }
      statement.bind(select.arguments)
      var members: [Int64: [Int64]] = [:]
      var positioned: [Int64: [Int64: Double]] = [:]
      while try statement.step() {
        let (owner, key) = (statement.int64(0), statement.int64(2))
        if let position = statement.storedNumber(1) {
          positioned[owner, default: [:]][key] = position
        } else {
          members[owner, default: []].append(key)
        }
      }
      for owner in members.keys { members[owner]?.sort() }
      for (owner, positions) in positioned {
        let others = (members[owner] ?? []).filter { positions[$0] == nil }.map { (position: Double($0), key: $0) }
        members[owner] = (others + positions.map { (position: $1, key: $0) }).sorted(by: <).map(\.key)
      }
      return members
    }
    return members.mapValues { sound($0, of: relationship.destination) }
  }

  /// The keys of the rows that refer to one.
  func referrers(to key: Int64, through referrer: PropertyInfo) throws -> [Int64] {
    let (table, own, other): (String, String, String)
    switch referrer.relationship?.storage {
    case .column(let column): (table, own, other) = (referrer.owner.table, primaryKeyColumn, column)
    case .joinTable(let name, let ownColumn, let otherColumn): (table, own, other) = (name, ownColumn, otherColumn)
    case .inverseColumn, nil: return []
    }
    guard key > 0 else { return [] }
    ensureIndexes(of: [referrer.owner.table])
    let select = SQLitePrinter.print(
      SQLSelect(
        [SQLResultColumn(.column(own))], from: .table(table), where: .binary(.equal, .column(other), .parameter))
    ).sql
    return try pool.readUncancelled { connection in
      let statement = try connection.statement(select)
      defer { statement.reset() }
      statement.bind(key, at: 1)
      return sound(try statement.keys(), of: referrer.owner)
    }
  }

  /// Owner, position or NULL, and member.
  private static func select(_ list: ListTable, owners: [Int64]) -> SQLSelect {
    let isMember = SQLExpression.column(list.owner).isOne(of: owners)
    func select(_ position: SQLExpression, where filter: SQLExpression? = nil) -> SQLSelect {
      SQLSelect(
        [.column(list.owner), position, .column(list.member)].map { SQLResultColumn($0) }, from: .table(list.table),
        where: filter.map { .all([isMember, $0]) } ?? isMember)
    }
    if list.member != primaryKeyColumn { return select(.column(list.position)) }
    // Each half from an index alone: all members, and once more those that have a position.
    var all = select(.value(.null))
    all.compounds = [
      SQLCompound(.unionAll, select(.column(list.position), where: .isNotNull(.column(list.position))))
    ]
    return all
  }
}

/// The table and columns that hold a to-many relationship's members.
struct ListTable {
  let table: String
  let owner: String
  let member: String
  let position: String

  /// nil for a relationship that refers to one.
  init?(_ relationship: RelationshipInfo) {
    guard let position = relationship.positionColumn else { return nil }
    self.position = position
    switch relationship.storage {
    case .inverseColumn(let column):
      (table, owner, member) = (relationship.destination.table, column, primaryKeyColumn)
    case .joinTable(let name, let own, let other):
      (table, owner, member) = (name, own, other)
    case .column:
      return nil
    }
  }
}
