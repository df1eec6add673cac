public import Foundation

/// `String.caseInsensitiveCompare(_:)`.
@_documentation(visibility: private)
public struct _CaseInsensitiveCompare<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
where Base.Output: StringProtocol, Other.Output: StringProtocol {
  public typealias Output = ComparisonResult
  public let base: Base
  public let other: Other

  public init(base: Base, other: Other) {
    self.base = base
    self.other = other
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
    try base.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
  }
}

extension _CaseInsensitiveCompare: Sendable where Base: Sendable, Other: Sendable {}
extension _CaseInsensitiveCompare: Codable where Base: StandardPredicateExpression, Other: StandardPredicateExpression {
}
extension _CaseInsensitiveCompare: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _CaseInsensitiveCompare: _UnarchivableExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func caseInsensitiveCompare<L: Node, R: Node>(_ base: L, _ other: R) -> _CaseInsensitiveCompare<L, R>
  where L.Output: StringProtocol, R.Output: StringProtocol { .init(base: base, other: other) }
  public static func caseInsensitiveCompare<L: Node>(_ base: L, value: String) -> _CaseInsensitiveCompare<
    L, Value<String>
  >
  where L.Output: StringProtocol { .init(base: base, other: .init(value)) }
  @_disfavoredOverload
  public static func caseInsensitiveCompare<L: Node>(_ base: L, value: some StringProtocol) -> _CaseInsensitiveCompare<
    L, Value<String>
  >
  where L.Output: StringProtocol { .init(base: base, other: .init(String(value))) }
  public static func caseInsensitiveCompare<R: Node>(value: String, _ other: R) -> _CaseInsensitiveCompare<
    Value<String>, R
  >
  where R.Output: StringProtocol { .init(base: .init(value), other: other) }
}
