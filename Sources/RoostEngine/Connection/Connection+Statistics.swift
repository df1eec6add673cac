// How many rows an index has for one value. Without that, SQLite takes all indexes for equally good.
extension Connection {
  private static let prefix = "ANALYZE \"main\"."
  /// In a table with fewer rows any index will do.
  private static let smallestTable = 1_000

  /// The statements that count what was not counted, or has changed much, for this connection's queries so far.
  ///
  /// Nothing is written. Source: [SQLite, PRAGMA optimize](https://www.sqlite.org/pragma.html#pragma_optimize).
  var missingStatistics: [String] {
    untraced {
      // 1: say what would be done; 2: count.
      let statements = (try? strings("PRAGMA optimize(3)")) ?? []
      return statements.filter { $0.hasPrefix(Self.prefix) && isOfLargeTable($0) }
    }
  }

  private func isOfLargeTable(_ statement: String) -> Bool {
    // The table's name comes quoted.
    let table = statement.dropFirst(Self.prefix.count)
    let rows = "SELECT 1 FROM main.\(table) LIMIT 1 OFFSET \(Self.smallestTable - 1)"
    return (try? strings(rows).isEmpty) == false
  }

  /// Counts, of each index some hundred entries, which takes milliseconds however many there are.
  ///
  /// Where it cannot be done, as when another program writes or the file was moved, the next one to close counts.
  func countStatistics(_ statements: Set<String>) {
    if statements.isEmpty { return }
    untraced {
      try? execute("PRAGMA analysis_limit=400")
      try? transaction { for statement in statements.sorted() { try execute(statement) } }
    }
  }
}
