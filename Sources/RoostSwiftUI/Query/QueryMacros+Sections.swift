#if canImport(SwiftUI)
  public import Foundation
  public import RoostCore
  public import RoostQuery
  public import SwiftUI

  // The property's type is `SectionedResults<Element, String>`.

  /// Keeps the models that fulfil `filter`, in the order of a property, by sections of a string; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    animation: Animation, sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order of an optional property, by sections of a string; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    animation: Animation, sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order `descriptors`, by sections of a string; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [], animation: Animation,
    sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel

  /// Keeps what a descriptor asks for, by sections of a string; animated.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    _ descriptor: FetchDescriptor<Element>, animation: Animation, sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order of a property, by sections of a string.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
    transaction: Transaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order of an optional property, by sections of a string.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Value, Element>(
    filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
    transaction: Transaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Value: Comparable, Element: PersistentModel

  /// Keeps the models that fulfil `filter`, in the order `descriptors`, by sections of a string.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
    transaction: Transaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel

  /// Keeps what a descriptor asks for, by sections of a string.
  @attached(accessor, names: named(get)) @attached(peer, names: prefixed(_))
  public macro Query<Element>(
    _ descriptor: FetchDescriptor<Element>, transaction: Transaction? = nil,
    sectionBy sectionKeyPath: KeyPath<Element, String>
  ) =
    #externalMacro(module: "RoostMacros", type: "QueryMacro") where Element: PersistentModel
#endif
