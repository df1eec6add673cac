public import Foundation
public import RoostCore

/// Which models to fetch, in which order, and how much of each.
///
/// ```swift
/// var descriptor = FetchDescriptor<Note>(predicate: #Predicate { $0.stars > 3 }, sortBy: [SortDescriptor(\.title)])
/// descriptor.fetchLimit = 20
/// let notes = try context.fetch(descriptor)
/// ```
/// Source: SwiftData's `FetchDescriptor`.
public struct FetchDescriptor<T>: @unchecked Sendable where T: PersistentModel {
  // SAFETY: predicates are Sendable, and key paths and sort descriptors are immutable; the types of key paths only
  // lack the conformance because a subscript's argument may be no Sendable value, and no model property has one.

  /// What a model must fulfil; nil for all models.
  public var predicate: Predicate<T>?
  /// The order: by the first descriptor, then by the second where the first finds no difference, and so on.
  public var sortBy: [SortDescriptor<T>]
  /// The greatest number of models to fetch; nil for no limit.
  public var fetchLimit: Int?
  /// The number of models to leave out at the beginning; past the end nothing is found.
  public var fetchOffset: Int?
  /// The model after which to begin, in the order of ``sortBy``; nil to begin with the first.
  ///
  /// ```swift
  /// descriptor.fetchLimit = 50
  /// descriptor.fetchAfter = lastNote.persistentModelID
  /// let page = try context.fetch(descriptor)   // or context.fetch(descriptor, after: lastNote)
  /// ```
  /// Pages made so neither repeat nor skip a model when others are inserted or deleted, and where an index has the
  /// order the last page is found as fast as the first; with ``fetchOffset`` all rows before are read. What the model
  /// has now counts, unsaved changes included if the fetch includes them; it need not match the predicate. One to be
  /// deleted has its place until the save. Models that the order does not tell apart are in the order of their
  /// identifiers, which a save replaces for new ones: to go on behind it, sort by what tells all models apart. A fetch
  /// throws ``SwiftDataError/rowNotFound`` when its row is gone, and
  /// ``SwiftDataError/unsupportedSortDescriptor`` when there is no order.
  public var fetchAfter: PersistentIdentifier?
  /// Whether the context's unsaved changes count; true unless set.
  public var includePendingChanges: Bool
  /// The attributes to load at once; the others load on first use. Empty for all.
  public var propertiesToFetch: [PartialKeyPath<T>]
  /// The relationships whose models to load at once.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>]

  /// Makes a descriptor of the models that fulfil `predicate`, ordered by `sortBy`.
  @inlinable
  public init(predicate: consuming Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
    fetchLimit = nil
    fetchOffset = nil
    fetchAfter = nil
    includePendingChanges = true
    propertiesToFetch = []
    relationshipKeyPathsForPrefetching = []
  }
}

extension FetchDescriptor: Equatable {
  /// Whether both ask for the same models in the same way.
  ///
  /// Predicates are equal when they have the same expression with equal values in it. Values that cannot be compared
  /// count as different, so that a cached result is never taken for another's.
  public static func == (lhs: FetchDescriptor<T>, rhs: FetchDescriptor<T>) -> Bool {
    lhs.fetchLimit == rhs.fetchLimit
      && lhs.fetchOffset == rhs.fetchOffset
      && lhs.fetchAfter == rhs.fetchAfter
      && lhs.includePendingChanges == rhs.includePendingChanges
      && lhs.sortBy == rhs.sortBy
      && lhs.propertiesToFetch == rhs.propertiesToFetch
      && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
      && PredicateEquality.areEqual(lhs.predicate, rhs.predicate)
  }
}
