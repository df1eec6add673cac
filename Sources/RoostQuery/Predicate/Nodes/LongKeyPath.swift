public import Foundation
import RoostCore

/// A key path of several steps, such as `\.folder?.name`: Foundation's node ends the program unless there is one.
@_documentation(visibility: private)
public struct _LongKeyPath<Root: PredicateExpression, Output>: PredicateExpression {
  public let root: Root
  public let keyPath: any Swift.KeyPath<Root.Output, Output> & Sendable

  public func evaluate(_ bindings: PredicateBindings) throws -> Output {
    try root.evaluate(bindings)[keyPath: keyPath as Swift.KeyPath<Root.Output, Output>]
  }
}

extension _LongKeyPath: Sendable where Root: Sendable {}
extension _LongKeyPath: Codable where Root: StandardPredicateExpression {}
extension _LongKeyPath: StandardPredicateExpression where Root: StandardPredicateExpression {}
extension _LongKeyPath: _UnarchivableExpression where Root: StandardPredicateExpression {}

extension StandardPredicateExpression {
  /// The node of a path that is not written in a predicate, and so may be any.
  func followed<Value>(
    by keyPath: any Swift.KeyPath<Output, Value> & Sendable
  ) -> any StandardPredicateExpression<Value> {
    keyPath.isOneProperty
      ? PredicateExpressions.KeyPath(root: self, keyPath: keyPath) : _LongKeyPath(root: self, keyPath: keyPath)
  }
}

extension AnyKeyPath {
  /// Whether the path surely leads to a property of its root, and no further. Of what is no
  /// model only its description tells.
  fileprivate var isOneProperty: Bool {
    if let model = Swift.type(of: self).rootType as? any PersistentModel.Type,
      let entity = SchemaInfo.standalone(model)?.entity(for: model)
    {
      return entity.property(for: self) != nil
    }
    var (depth, steps) = (0, 0)
    for character in debugDescription {
      switch character {
      case "<", "(": depth += 1
      case ">", ")": depth -= 1
      case "." where depth == 0: steps += 1
      default: break
      }
    }
    // `\.self` is the root itself.
    return steps == 1 && !debugDescription.hasSuffix(".self")
  }
}
