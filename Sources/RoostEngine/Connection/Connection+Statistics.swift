// How many rows an index has for one value. Without that, SQLite takes all indexes for equally good.
extension Connection {
  /// The statements that count what was not counted, or has changed much, for this connection's queries so far.
  ///
  /// Nothing is written. Source: [SQLite, PRAGMA optimize](https://www.sqlite.org/pragma.html#pragma_optimize).
  var missingStatistics: [String] {
    // 1: say what would be done; 2: count.
    let statements = untraced { (try? strings("PRAGMA optimize(3)")) ?? [] }
    return statements.filter { $0.hasPrefix("ANALYZE \"main\".") }
  }

  /// Counts, of each index some hundred entries, which takes milliseconds however many there are.
  ///
  /// Where it cannot be done, as when another program writes, the next one to close counts.
  func countStatistics(_ statements: Set<String>) {
    if statements.isEmpty { return }
    untraced {
      try? execute("PRAGMA analysis_limit=400")
      for statement in statements.sorted() { try? execute(statement) }
    }
  }
}
