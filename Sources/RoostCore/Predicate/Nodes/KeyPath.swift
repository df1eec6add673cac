public import Foundation

extension _PredicateBuilder {
  /// One property of a node's value.
  ///
  /// Takes any key path, not only a `Sendable` one: in a module whose default isolation is the main actor the literal
  /// is not `Sendable`, though it captures nothing.
  public static func keyPath<Root: Node, T>(_ root: Root, _ keyPath: Swift.KeyPath<Root.Output, T>)
    -> PredicateExpressions.KeyPath<Root, T>
  {
    // SAFETY: `Sendable` is a marker without a witness, so both types have one layout; the expansion passes only
    // literals without subscripts, which are immutable.
    let sendable = unsafeBitCast(keyPath, to: (any Swift.KeyPath<Root.Output, T> & Sendable).self)
    return .init(root: root, keyPath: sendable)
  }
}
