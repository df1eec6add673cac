// Rows by their keys.
extension ContextCore {
  /// Reads the rows of some keys, into the live objects where there are any.
  package func readRows(_ entity: EntityInfo, _ keys: [Int64], _ body: (any PersistentModel) -> Void) throws {
    try source.readRows(entity, keys, in: self, body)
  }

  /// The same, where a bad row must not hide the others: `bad` is called with its error and its key.
  ///
  /// After a bad one the rows are read by halves: twice the binary logarithm of their number in statements for each.
  package func readRows(
    _ entity: EntityInfo, _ keys: [Int64], bad: (SwiftDataError, Int64) throws -> Void,
    body: (any PersistentModel) -> Void
  ) throws {
    if keys.isEmpty { return }
    do {
      try readRows(entity, keys, body)
    } catch let error as SwiftDataError where error == .corruptValue {
      if keys.count == 1 { return try bad(error, keys[0]) }
      let middle = keys.count / 2
      try readRows(entity, Array(keys[..<middle]), bad: bad, body: body)
      try readRows(entity, Array(keys[middle...]), bad: bad, body: body)
    }
  }

  /// Reads the rows of live models again. Models without a row are gone.
  package func readRows(_ entity: EntityInfo, of models: [any PersistentModel]) throws {
    var unread = Dictionary(models.map { ($0._$state.key, $0) }, uniquingKeysWith: { first, _ in first })
    if unread.isEmpty { return }
    try readRows(entity, Array(unread.keys)) { unread[$0._$state.key] = nil }
    for model in unread.values { noteGone(model) }
  }
}
