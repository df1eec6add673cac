public import Foundation

/// `String.localizedCompare(_:)`.
@_documentation(visibility: private)
public struct _LocalizedCompare<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
where Base.Output: StringProtocol, Other.Output: StringProtocol {
  public typealias Output = ComparisonResult
  public let base: Base
  public let other: Other

  public init(base: Base, other: Other) {
    self.base = base
    self.other = other
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
    try base.evaluate(bindings).localizedCompare(other.evaluate(bindings))
  }
}

extension _LocalizedCompare: Sendable where Base: Sendable, Other: Sendable {}
extension _LocalizedCompare: Codable where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _LocalizedCompare: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _LocalizedCompare: _UnarchivableExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func localizedCompare<L: Node, R: Node>(_ base: L, _ other: R) -> _LocalizedCompare<L, R>
  where L.Output: StringProtocol, R.Output: StringProtocol { .init(base: base, other: other) }
  public static func localizedCompare<L: Node>(_ base: L, value: String) -> _LocalizedCompare<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(value)) }
  @_disfavoredOverload
  public static func localizedCompare<L: Node>(_ base: L, value: some StringProtocol) -> _LocalizedCompare<
    L, Value<String>
  >
  where L.Output: StringProtocol { .init(base: base, other: .init(String(value))) }
  public static func localizedCompare<R: Node>(value: String, _ other: R) -> _LocalizedCompare<Value<String>, R>
  where R.Output: StringProtocol { .init(base: .init(value), other: other) }
}
