public import Foundation

/// `String.hasPrefix(_:)`.
@_documentation(visibility: private)
public struct _HasPrefix<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
where Base.Output: StringProtocol, Other.Output: StringProtocol {
  public typealias Output = Bool
  public let base: Base
  public let other: Other

  public init(base: Base, other: Other) {
    self.base = base
    self.other = other
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try base.evaluate(bindings).hasPrefix(other.evaluate(bindings))
  }
}

extension _HasPrefix: Sendable where Base: Sendable, Other: Sendable {}
extension _HasPrefix: Codable where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _HasPrefix: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _HasPrefix: _UnarchivableExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func hasPrefix<L: Node, R: Node>(_ base: L, _ other: R) -> _HasPrefix<L, R>
  where L.Output: StringProtocol, R.Output: StringProtocol { .init(base: base, other: other) }
  public static func hasPrefix<L: Node>(_ base: L, value: String) -> _HasPrefix<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(value)) }
  @_disfavoredOverload
  public static func hasPrefix<L: Node>(_ base: L, value: some StringProtocol) -> _HasPrefix<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(String(value))) }
  public static func hasPrefix<R: Node>(value: String, _ other: R) -> _HasPrefix<Value<String>, R>
  where R.Output: StringProtocol { .init(base: .init(value), other: other) }
}
