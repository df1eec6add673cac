public import Foundation

/// `String.localizedStandardContains(_:)`.
@_documentation(visibility: private)
public struct _LocalizedStandardContains<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
where Base.Output: StringProtocol, Other.Output: StringProtocol {
  public typealias Output = Bool
  public let base: Base
  public let other: Other

  public init(base: Base, other: Other) {
    self.base = base
    self.other = other
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try base.evaluate(bindings).localizedStandardContains(other.evaluate(bindings))
  }
}

extension _LocalizedStandardContains: Sendable where Base: Sendable, Other: Sendable {}
extension _LocalizedStandardContains: Codable
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _LocalizedStandardContains: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension _LocalizedStandardContains: _UnarchivableExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func localizedStandardContains<L: Node, R: Node>(_ base: L, _ other: R) -> _LocalizedStandardContains<
    L, R
  >
  where L.Output: StringProtocol, R.Output: StringProtocol { .init(base: base, other: other) }
  public static func localizedStandardContains<L: Node>(_ base: L, value: String) -> _LocalizedStandardContains<
    L, Value<String>
  >
  where L.Output: StringProtocol { .init(base: base, other: .init(value)) }
  @_disfavoredOverload
  public static func localizedStandardContains<L: Node>(_ base: L, value: some StringProtocol)
    -> _LocalizedStandardContains<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(String(value))) }
  public static func localizedStandardContains<R: Node>(value: String, _ other: R) -> _LocalizedStandardContains<
    Value<String>, R
  >
  where R.Output: StringProtocol { .init(base: .init(value), other: other) }
}
