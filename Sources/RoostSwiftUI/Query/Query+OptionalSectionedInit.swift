#if canImport(SwiftUI)
  public import Foundation
  public import RoostQuery
  public import SwiftUI

  // As with a string; models without one are in the section with the title "".

  extension Query {
    /// Asks for the models that fulfil `filter`, by sections of an optional string, then by a property; animated.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
      animation: Animation, sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String>, Value: Comparable {
      self.init(
        QueryRequest(FetchDescriptor(filter, keyPath, order), SectionKey(sectionKeyPath)),
        Transaction(animation: animation))
    }

    /// Asks for the models that fulfil `filter`, by sections of an optional string and an optional property; animated.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
      animation: Animation, sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String>, Value: Comparable {
      self.init(
        QueryRequest(FetchDescriptor(filter, keyPath, order), SectionKey(sectionKeyPath)),
        Transaction(animation: animation))
    }

    /// Asks for the models that fulfil `filter`, by sections of an optional string, then by `descriptors`; animated.
    public init(
      filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
      animation: Animation, sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String> {
      self.init(
        QueryRequest(FetchDescriptor(predicate: filter, sortBy: descriptors), SectionKey(sectionKeyPath)),
        Transaction(animation: animation))
    }

    /// Asks for what a descriptor says, by sections of an optional string; changes are animated.
    public init(
      _ descriptor: FetchDescriptor<Element>, animation: Animation, sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String> {
      self.init(QueryRequest(descriptor, SectionKey(sectionKeyPath)), Transaction(animation: animation))
    }

    /// Asks for the models that fulfil `filter`, by sections of an optional string, then by a property.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value>, order: SortOrder = .forward,
      transaction: Transaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String>, Value: Comparable {
      self.init(QueryRequest(FetchDescriptor(filter, keyPath, order), SectionKey(sectionKeyPath)), transaction)
    }

    /// Asks for the models that fulfil `filter`, by sections of an optional string, then by an optional property.
    public init<Value>(
      filter: Predicate<Element>? = nil, sort keyPath: KeyPath<Element, Value?>, order: SortOrder = .forward,
      transaction: Transaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String>, Value: Comparable {
      self.init(QueryRequest(FetchDescriptor(filter, keyPath, order), SectionKey(sectionKeyPath)), transaction)
    }

    /// Asks for the models that fulfil `filter`, by sections of an optional string, then by `descriptors`.
    public init(
      filter: Predicate<Element>? = nil, sort descriptors: [SortDescriptor<Element>] = [],
      transaction: Transaction? = nil, sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String> {
      self.init(
        QueryRequest(FetchDescriptor(predicate: filter, sortBy: descriptors), SectionKey(sectionKeyPath)), transaction)
    }

    /// Asks for what a descriptor says, by sections of an optional string.
    public init(
      _ descriptor: FetchDescriptor<Element>, transaction: Transaction? = nil,
      sectionBy sectionKeyPath: KeyPath<Element, String?>
    ) where Result == SectionedResults<Element, String> {
      self.init(QueryRequest(descriptor, SectionKey(sectionKeyPath)), transaction)
    }
  }
#endif
