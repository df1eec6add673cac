public import Foundation

extension _PredicateBuilder {
  public typealias Variable = PredicateExpressions.Variable

  public static func contains<N: Node, Test: Node>(_ sequence: N, where build: (Variable<N.Output.Element>) -> Test)
    -> PredicateExpressions.SequenceContainsWhere<N, Test>
  where N.Output: Sequence, Test.Output == Bool { .init(sequence, builder: build) }

  public static func allSatisfy<N: Node, Test: Node>(
    _ sequence: N, where build: (Variable<N.Output.Element>) -> Test
  ) -> PredicateExpressions.SequenceAllSatisfy<N, Test>
  where N.Output: Sequence, Test.Output == Bool { .init(sequence, builder: build) }

  public static func filter<N: Node, Test: Node>(_ sequence: N, where build: (Variable<N.Output.Element>) -> Test)
    -> PredicateExpressions.Filter<N, Test>
  where N.Output: Sequence, Test.Output == Bool { .init(sequence, build) }

  public static func min<N: Node>(_ sequence: N) -> PredicateExpressions.SequenceMinimum<N>
  where N.Output: Sequence, N.Output.Element: Comparable { .init(elements: sequence) }
  public static func max<N: Node>(_ sequence: N) -> PredicateExpressions.SequenceMaximum<N>
  where N.Output: Sequence, N.Output.Element: Comparable { .init(elements: sequence) }
}
