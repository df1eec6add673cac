public import Foundation
public import RoostCore

extension _PredicateBuilder {
  public typealias SequenceContains = PredicateExpressions.SequenceContains
  public typealias RangeContains = PredicateExpressions.RangeExpressionContains
  public typealias Substring = PredicateExpressions.CollectionContainsCollection

  // A captured collection. It becomes an array (or stays a set), which is always archivable.
  public static func contains<R: Node>(value: [R.Output], _ element: R) -> SequenceContains<Value<[R.Output]>, R>
  where R.Output: Equatable { .init(sequence: .init(value), element: element) }
  public static func contains<R: Node>(value: Set<R.Output>, _ element: R)
    -> SequenceContains<Value<Set<R.Output>>, R>
  where R.Output: Hashable { .init(sequence: .init(value), element: element) }
  @_disfavoredOverload
  public static func contains<S: Sequence, R: Node>(value: S, _ element: R) -> SequenceContains<Value<[R.Output]>, R>
  where S.Element == R.Output, R.Output: Equatable { .init(sequence: .init(Array(value)), element: element) }
  @_disfavoredOverload
  public static func contains<S: Sequence, R: Node>(value: S, _ element: R)
    -> SequenceContains<Value<[R.Output?]>, _OptionalPromotion<R>>
  where S.Element == R.Output?, R.Output: Equatable {
    .init(sequence: .init(Array(value)), element: .init(element))
  }

  // A captured range.
  public static func contains<S: RangeExpression, R: Node>(value: S, _ element: R) -> RangeContains<Value<S>, R>
  where S.Bound == R.Output { .init(range: .init(value), element: element) }

  // A collection of the model's.
  @_disfavoredOverload
  public static func contains<L: Node>(_ sequence: L, value: L.Output.Element)
    -> SequenceContains<L, Value<L.Output.Element>>
  where L.Output: Sequence, L.Output.Element: Equatable { .init(sequence: sequence, element: .init(value)) }
  @_disfavoredOverload
  public static func contains<L: Node, R: Node>(_ sequence: L, _ element: R) -> SequenceContains<L, R>
  where L.Output: Sequence, L.Output.Element == R.Output, R.Output: Equatable {
    .init(sequence: sequence, element: element)
  }

  // A part of a collection of the model's.
  @_disfavoredOverload
  public static func contains<L: Node>(_ base: L, value part: [L.Output.Element])
    -> Substring<L, Value<[L.Output.Element]>>
  where L.Output: Collection, L.Output.Element: Equatable { .init(base: base, other: .init(part)) }

  // A range of the model's.
  public static func contains<L: Node>(_ range: L, value: L.Output.Bound) -> RangeContains<L, Value<L.Output.Bound>>
  where L.Output: RangeExpression { .init(range: range, element: .init(value)) }
  public static func contains<L: Node, R: Node>(_ range: L, _ element: R) -> RangeContains<L, R>
  where L.Output: RangeExpression, L.Output.Bound == R.Output { .init(range: range, element: element) }

  // A related model.
  public static func contains<L: Node, M: PersistentModel>(_ sequence: L, value: M)
    -> PredicateExpressions.SequenceContainsWhere<
      L, Equal<_OptionalPromotion<PredicateExpressions.Variable<M>>, _ModelConstant<M>>
    >
  where L.Output: Sequence, L.Output.Element == M {
    .init(sequence) { equal($0, value: value) }
  }
}
