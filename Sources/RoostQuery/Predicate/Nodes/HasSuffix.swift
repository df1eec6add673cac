public import Foundation

/// `String.hasSuffix(_:)`.
@_documentation(visibility: private)
public struct _HasSuffix<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
where Base.Output: StringProtocol, Other.Output: StringProtocol {
  public typealias Output = Bool
  public let base: Base
  public let other: Other

  public init(base: Base, other: Other) {
    self.base = base
    self.other = other
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try base.evaluate(bindings).hasSuffix(other.evaluate(bindings))
  }
}

extension _HasSuffix: Sendable where Base: Sendable, Other: Sendable {}
extension _HasSuffix: Codable where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _HasSuffix: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _HasSuffix: _UnarchivableExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func hasSuffix<L: Node, R: Node>(_ base: L, _ other: R) -> _HasSuffix<L, R>
  where L.Output: StringProtocol, R.Output: StringProtocol { .init(base: base, other: other) }
  public static func hasSuffix<L: Node>(_ base: L, value: String) -> _HasSuffix<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(value)) }
  @_disfavoredOverload
  public static func hasSuffix<L: Node>(_ base: L, value: some StringProtocol) -> _HasSuffix<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(String(value))) }
  public static func hasSuffix<R: Node>(value: String, _ other: R) -> _HasSuffix<Value<String>, R>
  where R.Output: StringProtocol { .init(base: .init(value), other: other) }
}
