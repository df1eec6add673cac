/// What a save writes.
struct SaveChanges {
  var inserted: [Insertion]
  var updated: [any PersistentModel]
  var deleted: [any PersistentModel]
  var pairs: [JoinPair: Bool]
  /// Lists whose order the store may not have.
  var lists: [ChangedList] = []
  var author: String?
}

/// A model that a save inserts.
struct Insertion {
  let model: any PersistentModel
  /// Its entity's place in the schema.
  let ordinal: Int
  /// The key by which other models of the save refer to it.
  let temporaryKey: Int64
  /// The key of its row, once the save has one for it.
  var key: Int64 = 0
  /// Whether a unique constraint made it the update of a row that was there before.
  var isMerged = false
  /// Whether it refers to others by temporary keys.
  var hasTemporaryKeys = false

  init(_ model: any PersistentModel) {
    self.model = model
    ordinal = model._$state.ordinal
    temporaryKey = model._$state.key
  }
}

/// What a save wrote.
struct SavedChanges {
  /// The permanent key of each temporary one that something may refer to.
  var keys: [Int64: Int64] = [:]
  var inserted: [Insertion] = []
  /// Entities whose plain indexes were dropped, to be made when they are needed.
  var withoutIndexes: Set<Int> = []
  var generation = 0
}
