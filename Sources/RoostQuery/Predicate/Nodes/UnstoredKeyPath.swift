public import Foundation
public import RoostCore

extension _PredicateBuilder {
  /// A property that is not stored: a node as of any other, so that the predicate still judges models in memory.
  public static func keyPath<Root: Node, T>(
    _ root: Root, _ property: KeyPath<Root.Output._$Unstored, KeyPath<Root.Output, T>>
  ) -> PredicateExpressions.KeyPath<Root, T> where Root.Output: PersistentModel {
    .init(root: root, keyPath: Root.Output._$Unstored()[keyPath: property].assumedSendable)
  }
}
