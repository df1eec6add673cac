import RoostCore
internal import RoostSQL

/// A `SELECT` being made: what its conditions need joined.
final class QueryScope {
  let depth: Int
  private(set) var joins: [SQLJoin] = []
  private var aliases: [Target: String] = [:]

  private struct Target: Hashable {
    let table: String
    let key: SQLExpression
  }

  init(depth: Int) { self.depth = depth }

  /// The alias of the row with that key, joined on first use. A missing row leaves its columns NULL and drops nothing.
  func alias(of table: String, key: SQLExpression, new: () -> String) -> String {
    let target = Target(table: table, key: key)
    if let alias = aliases[target] { return alias }
    let alias = new()
    aliases[target] = alias
    joins.append(
      SQLJoin(.left, .table(table, alias: alias), on: .binary(.equal, .column(alias, primaryKeyColumn), key)))
    return alias
  }
}
