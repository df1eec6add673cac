/// What a save writes.
final class SaveChanges {
  let inserted: ModelList
  /// The rows of `inserted`, in the same order. Apart from the models, because most steps of a save look at rows alone,
  /// and a loop over references counts each of them.
  let rows: [InsertedRow]
  let updated: ModelList
  let deleted: ModelList
  let joinRows: [JoinRow: Bool]
  /// With the links of models that are to be deleted.
  let allJoinRows: [JoinRow: Bool]
  /// Lists whose order the store may not have.
  var lists: [ChangedList] = []
  let author: HistoryAuthor
  let policy: ModelContext.MergePolicy

  init(_ pending: PendingChanges, author: HistoryAuthor, policy: ModelContext.MergePolicy) {
    self.policy = policy
    inserted = pending.insertedModels
    rows = inserted.states.map { InsertedRow($0.state) }
    updated = pending.changedModels
    deleted = pending.deletedModels
    (joinRows, allJoinRows) = (pending.joinRows, pending.allJoinRows)
    self.author = author
  }
}

/// The row that a save makes of a model.
struct InsertedRow {
  /// The place of the row's entity in the schema. Another than the model's for a row of a subclass that it updates.
  var ordinal: Int
  /// The key by which other models of the save refer to it.
  let temporaryKey: Int64
  /// Whether the row was deleted before and comes back with the key it had.
  var isRestored: Bool { temporaryKey > 0 }
  /// The key of the row, once the save has one for it.
  var key: Int64 = 0
  /// Whether a unique constraint made it the update of a row that was there before.
  var isMerged = false
  /// Whether it refers to others by temporary keys.
  var hasTemporaryKeys = false

  init(_ state: borrowing _ModelState) {
    ordinal = state.ordinal
    temporaryKey = state.key
  }
}

/// What a save wrote.
struct SavedChanges {
  let keys = PermanentKeys()
  /// In the order of the models inserted.
  var rows: [InsertedRow] = []
  /// Root entities whose plain indexes were dropped, to be made when they are needed.
  var withoutIndexes: Set<Int> = []
  /// The keys that are kept for the next saves, by the root's ordinal.
  var keyBlocks: [(root: Int, block: KeyBlock)] = []
  /// Links of models that became updates of rows, by their temporary keys, which these rows had already.
  var knownLinks: Set<JoinRow> = []
  var generation = 0
  var recorded = Recorded()
  /// Whether nobody else had written since this store's last save.
  var isAlone = false
  /// Whether rows changed that the context does not know of, so that it must read relationships again.
  var hasChangedOthers = false
}

/// The permanent key of each temporary one that something may refer to.
///
/// A class, so that the writer of a row can hold it without counting.
package final class PermanentKeys {
  /// Temporary keys count down from here, mostly without a gap, so nearly all are found by their distance; 0 is none.
  // SAFETY: a save has it alone, and nothing that reads or writes these calls out meanwhile.
  @exclusivity(unchecked) private var first: Int64 = 0
  @exclusivity(unchecked) private var near: [Int64] = []
  /// Those that are farther away.
  @exclusivity(unchecked) private var far: [Int64: Int64] = [:]
  private static let largestGap = 16
  /// Whether a unique constraint made a new model the update of a row.
  private var hasMerged = false

  /// The permanent key of a model; `key` itself when it is one, or unknown.
  subscript(key: Int64) -> Int64 { key < 0 ? known(key) ?? key : key }

  private func known(_ temporaryKey: Int64) -> Int64? {
    // Wrapping: a slot that was not read holds the least number there is.
    let distance = first &- temporaryKey
    if distance >= 0, distance < near.count {
      let key = near[Int(distance)]
      if key != 0 { return key }
    }
    return far.isEmpty ? nil : far[temporaryKey]
  }

  func add(_ key: Int64, for temporaryKey: Int64) {
    if near.isEmpty { first = temporaryKey }
    let distance = first - temporaryKey
    guard distance >= 0, distance < near.count + Self.largestGap else { return far[temporaryKey] = key }
    while near.count <= distance { near.append(0) }
    near[Int(distance)] = key
  }

  /// The permanent keys of some models, each once: several may have become one row.
  func distinct(_ keys: [Int64]) -> [Int64] {
    guard hasMerged else { return keys.map { self[$0] } }
    var seen: Set<Int64> = []
    return keys.compactMap { key in
      let key = self[key]
      return seen.insert(key).inserted ? key : nil
    }
  }

  /// Has a key refer to another row, if anything may refer to it.
  func replace(_ temporaryKey: Int64, with key: Int64) {
    hasMerged = true
    if known(temporaryKey) == nil { return }
    far[temporaryKey] = nil
    add(key, for: temporaryKey)
  }
}
