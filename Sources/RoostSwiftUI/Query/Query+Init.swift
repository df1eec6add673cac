#if canImport(SwiftUI)
  public import Foundation
  public import RoostQuery
  public import SwiftUI

  // Results change in `transaction`, or in one with `animation`.

  extension Query {
    /// Asks for the models that fulfil `filter`, in the order of a property; changes are animated.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
      animation: Animation
    ) where Result == [Element], Value: Comparable {
      self.init(QueryRequest(FetchDescriptor(filter, keyPath, order)), Transaction(animation: animation))
    }

    /// Asks for the models that fulfil `filter`, in the order of an optional property; changes are animated.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
      animation: Animation
    ) where Result == [Element], Value: Comparable {
      self.init(QueryRequest(FetchDescriptor(filter, keyPath, order)), Transaction(animation: animation))
    }

    /// Asks for the models that fulfil `filter`, in the order `descriptors`; changes are animated.
    public init(
      filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
      animation: Animation
    ) where Result == [Element] {
      self.init(
        QueryRequest(FetchDescriptor(predicate: filter, sortBy: descriptors)), Transaction(animation: animation))
    }

    /// Asks for what a descriptor says; changes are animated.
    public init(
      _ descriptor: FetchDescriptor<Element>, animation: Animation
    ) where Result == [Element] {
      self.init(QueryRequest(descriptor), Transaction(animation: animation))
    }

    /// Asks for the models that fulfil `filter`, in the order of a property.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
      transaction: Transaction? = nil
    ) where Result == [Element], Value: Comparable {
      self.init(QueryRequest(FetchDescriptor(filter, keyPath, order)), transaction)
    }

    /// Asks for the models that fulfil `filter`, in the order of an optional property.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
      transaction: Transaction? = nil
    ) where Result == [Element], Value: Comparable {
      self.init(QueryRequest(FetchDescriptor(filter, keyPath, order)), transaction)
    }

    /// Asks for the models that fulfil `filter`, in the order `descriptors`.
    public init(
      filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
      transaction: Transaction? = nil
    ) where Result == [Element] {
      self.init(QueryRequest(FetchDescriptor(predicate: filter, sortBy: descriptors)), transaction)
    }

    /// Asks for what a descriptor says.
    public init(
      _ descriptor: FetchDescriptor<Element>, transaction: Transaction? = nil
    ) where Result == [Element] {
      self.init(QueryRequest(descriptor), transaction)
    }
  }
#endif
