import RoostEngine

extension Connection {
  /// What a query gives in its first column, which is a key.
  ///
  /// - Parameters:
  ///   - sql: the query.
  ///   - arguments: its parameters, which are keys too.
  /// - Returns: the keys, in the query's order.
  /// - Throws: what the database reports.
  func keys(_ sql: String, _ arguments: Int64...) throws -> [Int64] {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, argument) in arguments.enumerated() { statement.bind(argument, at: Int32(index + 1)) }
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.int64(0)) }
    return keys
  }
}
