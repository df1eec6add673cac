public import Foundation

extension _PredicateBuilder {
  public typealias At = PredicateExpressions.CollectionIndexSubscript
  public typealias Key = PredicateExpressions.DictionaryKeySubscript
  public typealias KeyDefault = PredicateExpressions.DictionaryKeyDefaultValueSubscript

  @_disfavoredOverload
  public static func element<N: Node>(_ node: N, value index: N.Output.Index) -> At<N, Value<N.Output.Index>>
  where N.Output: Collection { .init(wrapped: node, index: .init(index)) }
  @_disfavoredOverload
  public static func element<N: Node, I: Node>(_ node: N, _ index: I) -> At<N, I>
  where N.Output: Collection, N.Output.Index == I.Output { .init(wrapped: node, index: index) }

  public static func element<N: Node>(_ node: N, value range: Swift.Range<N.Output.Index>)
    -> PredicateExpressions.CollectionRangeSubscript<N, Value<Swift.Range<N.Output.Index>>>
  where N.Output: Collection { .init(wrapped: node, range: .init(range)) }

  public static func element<N: Node, K: Hashable, V>(_ node: N, value key: K) -> Key<N, Value<K>, V>
  where N.Output == [K: V] { .init(wrapped: node, key: .init(key)) }
  public static func element<N: Node, K: Node, V>(_ node: N, _ key: K) -> Key<N, K, V>
  where K.Output: Hashable, N.Output == [K.Output: V] { .init(wrapped: node, key: key) }
  public static func element<K: Node, V>(value base: [K.Output: V], _ key: K) -> Key<Value<[K.Output: V]>, K, V>
  where K.Output: Hashable { .init(wrapped: .init(base), key: key) }

  public static func element<N: Node, K: Hashable, V>(_ node: N, value key: K, default value: V)
    -> KeyDefault<N, Value<K>, Value<V>>
  where N.Output == [K: V] { .init(wrapped: node, key: .init(key), default: .init(value)) }
  public static func element<K: Node, V>(value base: [K.Output: V], _ key: K, default value: V)
    -> KeyDefault<Value<[K.Output: V]>, K, Value<V>>
  where K.Output: Hashable { .init(wrapped: .init(base), key: key, default: .init(value)) }
}
