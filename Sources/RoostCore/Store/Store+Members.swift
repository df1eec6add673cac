import RoostEngine
import RoostSQL

extension Store {
  /// The keys that a to-many relationship leads to, for several owners in one statement.
  func members(of relationship: RelationshipInfo, owners: [Int64]) throws -> [Int64: [Int64]] {
    ensureIndexes(of: [relationship.destination.name])
    let (table, owner, member): (String, String, String)
    switch relationship.storage {
    case .inverseColumn(let column):
      (table, owner, member) = (relationship.destination.table, column, primaryKeyColumn)
    case .joinTable(let name, let own, let other):
      (table, owner, member) = (name, own, other)
    case .column:
      return [:]
    }
    let keys = SQLSelect([SQLResultColumn(.column("value"))], from: .function(.jsonEach, [.parameter], alias: nil))
    let select = SQLSelect(
      [SQLResultColumn(.column(owner)), SQLResultColumn(.column(member))], from: .table(table),
      where: .inSelect(.column(owner), keys), orderBy: [SQLOrder(.column(member))])
    return try pool.read { connection in
      let statement = try connection.statement(SQLitePrinter.print(select).sql)
      defer { statement.reset() }
      statement.bind("[" + owners.map(String.init).joined(separator: ",") + "]", at: 1)
      var members: [Int64: [Int64]] = [:]
      while try statement.step() { members[statement.int64(0), default: []].append(statement.int64(1)) }
      return members
    }
  }
}
