extension Connection {
  /// The first column of every row, as text.
  package func strings(_ sql: String) throws -> [String] {
    let statement = try statement(sql)
    defer { statement.reset() }
    var strings: [String] = []
    while try statement.step() { strings.append(statement.string(0)) }
    return strings
  }
}
