#if canImport(SwiftUI)
  public import Foundation
  public import RoostCore
  public import RoostQuery
  public import SwiftUI

  // Results change in `transaction`, or in one with `animation`.

  /// Keeps all models of a type in a view's property, up to date.
  ///
  /// ```swift
  /// struct NotesView: View {
  ///   @Query private var notes: [Note]
  ///   @Query(filter: #Predicate<Note> { $0.stars > 3 }, sort: \.title, animation: .default) private var best: [Note]
  /// }
  /// ```
  /// The property has a type and no value: an array of models, or ``SectionedResults`` where the query has sections. It
  /// becomes a computed one beside a ``Query``, whose name has an underscore before it: `_notes.fetchError`.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query() = #externalMacro(module: "RoostMacros", type: "QueryMacro")

  /// Keeps all models of a type in a view's property; changes of the results are animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query(animation: Animation) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro")

  /// Keeps all models of a type in a view's property; the results change in a transaction.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query(transaction: Transaction) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro")

  /// Keeps the models that fulfil `filter`, in the order of a property; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    animation: Animation
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order of an optional property; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    animation: Animation
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order `descriptors`; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [], animation: Animation
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel

  /// Keeps what a descriptor asks for; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    _ descriptor: FetchDescriptor<Element>, animation: Animation
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order of a property.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    transaction: Transaction? = nil
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order of an optional property.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    transaction: Transaction? = nil
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order `descriptors`.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [], transaction: Transaction? = nil
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel

  /// Keeps what a descriptor asks for.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    _ descriptor: FetchDescriptor<Element>, transaction: Transaction? = nil
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel
#endif
