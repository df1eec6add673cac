#if canImport(SwiftUI)
  import Foundation
  import RoostCore
  import RoostQuery

  extension FetchDescriptor {
    init<Value: Comparable>(_ filter: Predicate<T>?, _ path: KeyPath<T, Value>, _ order: SortOrder) {
      self.init(predicate: filter, sortBy: [SortDescriptor(path.assumedSendable, order: order)])
    }

    init<Value: Comparable>(_ filter: Predicate<T>?, _ path: KeyPath<T, Value?>, _ order: SortOrder) {
      self.init(predicate: filter, sortBy: [SortDescriptor(path.assumedSendable, order: order)])
    }
  }

  extension KeyPath {
    /// The same, for one that captured nothing, as paths to stored properties do; a fetch throws for others.
    fileprivate var assumedSendable: any KeyPath<Root, Value> & Sendable {
      // SAFETY: `Sendable` is a marker without a witness, so both types have one layout.
      unsafeBitCast(self, to: (any KeyPath<Root, Value> & Sendable).self)
    }
  }
#endif
