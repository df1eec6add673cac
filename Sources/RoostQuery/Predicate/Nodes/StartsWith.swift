public import Foundation

extension _PredicateBuilder {
  public typealias StartsWith = PredicateExpressions.SequenceStartsWith

  public static func starts<L: Node, R: Node>(_ base: L, with prefix: R) -> StartsWith<L, R>
  where L.Output: Sequence, R.Output: Sequence, L.Output.Element == R.Output.Element, L.Output.Element: Equatable {
    .init(base: base, prefix: prefix)
  }
  public static func starts<L: Node>(_ base: L, withValue prefix: String) -> StartsWith<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, prefix: .init(prefix)) }
  public static func starts<L: Node>(_ base: L, withValue prefix: some StringProtocol) -> StartsWith<L, Value<String>>
  where L.Output: StringProtocol { .init(base: base, prefix: .init(String(prefix))) }
  @_disfavoredOverload
  public static func starts<L: Node, S: Sequence>(_ base: L, withValue prefix: S)
    -> StartsWith<L, Value<[L.Output.Element]>>
  where L.Output: Sequence, L.Output.Element == S.Element, S.Element: Equatable {
    .init(base: base, prefix: .init(Array(prefix)))
  }
  public static func starts<R: Node>(value: String, with prefix: R) -> StartsWith<Value<String>, R>
  where R.Output: StringProtocol { .init(base: .init(value), prefix: prefix) }
}
