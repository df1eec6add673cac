/// What a custom store throws to say that the context must do the work, or that nobody can.
///
/// Source: SwiftData's `DataStoreError`.
public enum DataStoreError: Error, Hashable {
  /// The store has no such feature.
  case unsupportedFeature
  /// The context must filter the store's snapshots in memory.
  case preferInMemoryFilter
  /// The context must sort the store's snapshots in memory.
  case preferInMemorySort
  /// The store cannot make sense of the predicate.
  case invalidPredicate
}
