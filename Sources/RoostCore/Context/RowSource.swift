/// Where a context's rows are: in the store, or for a draft among its parent's models.
///
/// Each method gets the context that asks, as a source is only known by it.
protocol RowSource: AnyObject {
  /// Whether a model of that key, which the context itself did not insert, may have a row.
  func mayHaveRow(key: Int64) -> Bool
  /// Whether there is a model of that key without a row in the store.
  func knows(ordinal: Int, key: Int64) -> Bool
  /// Whether the row of a model that the context does not delete stays, as far as anybody in this process knows.
  func keeps(_ model: any PersistentModel) -> Bool
  /// Whether a relationship shows a model that it refers to by a key.
  func shows(_ model: any PersistentModel, in core: ContextCore) -> Bool
  /// Has the context show what the source has changed since it was last asked.
  func noticeChanges(for core: ContextCore)

  /// Reads what property `index` of a model needs, with what its siblings lack.
  func fire(_ model: some PersistentModel, _ index: Int, in core: ContextCore) throws
  /// The same, throwing also what only a source of the source could say.
  func fireThrowing(_ model: some PersistentModel, _ index: Int, in core: ContextCore) throws
  /// Reads the lists that models lack, in one statement a relationship, where that is worth it.
  func readLists(of models: [any PersistentModel], isCascade: Bool, in core: ContextCore)
  /// Reads the rows of some keys, into the live objects where there are any.
  func readRows(
    _ entity: EntityInfo, _ keys: [Int64], in core: ContextCore, _ body: (any PersistentModel) -> Void) throws
  /// Reads the rows of models again, one statement a table. Models without a row are gone.
  func readAgain(_ models: [any PersistentModel], in core: ContextCore) throws
  /// Brings the source itself up to date with what others wrote to some tables.
  func readAgain(of tables: Set<String>) throws
  /// Those of the keys of new models that others have given to rows of theirs meanwhile.
  func takenKeys(_ keys: [Int64], of root: EntityInfo) throws -> [Int64]
}

extension ContextCore {
  /// Whether there may be a row of a key, or for a draft a model of its parent's.
  package func isReadable(_ entity: EntityInfo, key: Int64) -> Bool {
    key > 0 || source.knows(ordinal: entity.ordinal, key: key)
  }

  /// Whether a model without a row is known by this key, here or above.
  func knows(ordinal: Int, key: Int64) -> Bool {
    identities.contains(ordinal: ordinal, key: key) || source.knows(ordinal: ordinal, key: key)
  }
}
