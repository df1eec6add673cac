import RoostEngine
import RoostSQL

extension Store {
  /// The keys that a to-many relationship leads to, in their order, for several owners in one statement.
  func members(of relationship: RelationshipInfo, owners: [Int64]) throws -> [Int64: [Int64]] {
    ensureIndexes(of: [relationship.destination.name])
    guard let list = ListTable(relationship) else { return [:] }
    let keys = SQLSelect([SQLResultColumn(.column("value"))], from: .function(.jsonEach, [.parameter], alias: nil))
    let select = SQLSelect(
      [list.owner, list.position, list.member].map { SQLResultColumn(.column($0)) }, from: .table(list.table),
      where: .inSelect(.column(list.owner), keys),
      // The index's own order, in which those without a place come first.
      orderBy: [list.owner, list.position, list.member].map { SQLOrder(.column($0)) })
    return try pool.read { connection in
      let statement = try connection.statement(SQLitePrinter.print(select).sql)
      defer { statement.reset() }
      statement.bind("[" + owners.map(String.init).joined(separator: ",") + "]", at: 1)
      var members: [Int64: [Int64]] = [:]
      var placed: [Int64: [(place: Double, key: Int64)]] = [:]
      while try statement.step() {
        let (owner, key) = (statement.int64(0), statement.int64(2))
        if let place = statement.storedNumber(1) {
          placed[owner, default: []].append((place, key))
        } else {
          members[owner, default: []].append(key)
        }
      }
      for (owner, moved) in placed {
        let all = moved + (members[owner] ?? []).map { (Double($0), $0) }
        members[owner] = all.sorted(by: <).map(\.key)
      }
      return members
    }
  }
}

/// The table and columns that hold a to-many relationship's members.
struct ListTable {
  let table: String
  let owner: String
  let member: String
  let position: String

  /// nil for a relationship that leads to one.
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
