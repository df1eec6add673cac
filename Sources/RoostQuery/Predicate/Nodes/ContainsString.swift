public import Foundation

extension _PredicateBuilder {
  public static func contains<L: Node, R: Node>(_ base: L, _ other: R) -> Substring<L, R>
  where L.Output: StringProtocol, R.Output: StringProtocol { .init(base: base, other: other) }
  public static func contains<L: Node>(_ base: L, value: String) -> Substring<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(value)) }
  public static func contains<L: Node>(_ base: L, value: Swift.Substring) -> Substring<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(String(value))) }
  /// `Character` is not `Codable`; a string of one contains the same.
  @_disfavoredOverload
  public static func contains<L: Node>(_ base: L, value: Character) -> Substring<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, other: .init(String(value))) }
  public static func contains<R: Node>(value: String, _ other: R) -> Substring<Value<String>, R>
  where R.Output: StringProtocol { .init(base: .init(value), other: other) }
}
