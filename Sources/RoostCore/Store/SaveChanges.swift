/// What a save writes.
struct SaveChanges {
  var inserted: [any PersistentModel]
  var updated: [any PersistentModel]
  var deleted: [any PersistentModel]
  var pairs: [JoinPair: Bool]
  var author: String?
}

/// What a save wrote.
struct SavedChanges {
  /// The permanent key of each temporary one that something may refer to.
  var keys: [Int64: Int64] = [:]
  /// The keys of the models inserted, in their order.
  var insertedKeys: [Int64] = []
  /// Those among them that were rows before: a unique constraint made the insert an update.
  var merged: Set<Int64> = []
  var generation = 0
}
