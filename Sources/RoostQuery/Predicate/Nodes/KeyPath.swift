public import Foundation

extension _PredicateBuilder {
  /// One property of a node's value.
  ///
  /// Takes any key path, not only a `Sendable` one: in a module whose default isolation is the main actor the literal
  /// is not `Sendable`, though it captures nothing.
  ///
  /// Disfavoured to the overload that warns.
  @_disfavoredOverload
  public static func keyPath<Root: Node, T>(_ root: Root, _ keyPath: Swift.KeyPath<Root.Output, T>)
    -> PredicateExpressions.KeyPath<Root, T>
  {
    // The expansion passes only literals without subscripts, which are immutable.
    .init(root: root, keyPath: keyPath.assumedSendable)
  }
}

extension Swift.KeyPath {
  /// The same, for one that captured nothing, or nothing but Sendable values: as paths to stored properties do, and
  /// others throw before a query uses them.
  var assumedSendable: any Swift.KeyPath<Root, Value> & Sendable {
    // SAFETY: `Sendable` is a marker without a witness, so both types have one layout; whoever asks knows the rest.
    unsafeBitCast(self, to: (any Swift.KeyPath<Root, Value> & Sendable).self)
  }
}

extension AnyKeyPath {
  /// As `assumedSendable`, for a path whose types are known at run time only.
  var anySendable: any AnyKeyPath & Sendable {
    // SAFETY: `Sendable` is a marker without a witness, so both types have one layout. Asked for are paths to stored
    // properties that an archive's allow-list or the schema's macros wrote as literals, which capture nothing.
    unsafeBitCast(self, to: (any AnyKeyPath & Sendable).self)
  }
}
