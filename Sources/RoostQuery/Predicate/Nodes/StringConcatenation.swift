public import Foundation

/// `a + b` of strings.
@_documentation(visibility: private)
public struct _StringConcatenation<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
where LHS.Output == String, RHS.Output == String {
  public typealias Output = String
  public let lhs: LHS
  public let rhs: RHS

  public init(lhs: LHS, rhs: RHS) {
    self.lhs = lhs
    self.rhs = rhs
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> String {
    try lhs.evaluate(bindings) + rhs.evaluate(bindings)
  }
}

extension _StringConcatenation: Sendable where LHS: Sendable, RHS: Sendable {}
extension _StringConcatenation: Codable where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
extension _StringConcatenation: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
extension _StringConcatenation: _UnarchivableExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func add<L: Node, R: Node>(_ lhs: L, _ rhs: R) -> _StringConcatenation<L, R>
  where L.Output == String, R.Output == String { .init(lhs: lhs, rhs: rhs) }
  public static func add<L: Node>(_ lhs: L, value: String) -> _StringConcatenation<L, Value<String>>
  where L.Output == String { .init(lhs: lhs, rhs: .init(value)) }
  public static func add<R: Node>(value: String, _ rhs: R) -> _StringConcatenation<Value<String>, R>
  where R.Output == String { .init(lhs: .init(value), rhs: rhs) }
}
