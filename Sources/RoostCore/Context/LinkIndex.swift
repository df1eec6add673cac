/// Which models were linked to one: by the table and the column that hold its key, and by that key.
///
/// What is linked no more is still there, so whoever asks looks whether each is.
final class LinkIndex {
  // SAFETY: a context belongs to one actor, and nothing here calls out.
  @exclusivity(unchecked) private var links: [String: [String: [Int64: [Int64]]]] = [:]

  func note(_ other: Int64, to key: Int64, _ table: String, _ column: String) {
    Self.add(other, to: &links[table, default: [:]][column, default: [:]][key, default: []])
  }

  private static func add(_ other: Int64, to others: inout [Int64]) {
    // Often noted once more right away, as an edit sets a slot in steps.
    if others.last != other { others.append(other) }
  }

  func note(_ row: JoinRow) {
    note(row.keys.1, to: row.keys.0, row.table, row.columns.0)
    note(row.keys.0, to: row.keys.1, row.table, row.columns.1)
  }

  /// The keys of those that were linked to a model, each once, in the order in which they first were.
  func others(of key: Int64, _ table: String, _ column: String) -> [Int64] {
    guard let others = links[table]?[column]?[key] else { return [] }
    var known: Set<Int64> = []
    return others.filter { known.insert($0).inserted }
  }
}
