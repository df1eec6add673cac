public import Foundation

extension _PredicateBuilder {
  public typealias ClosedRange = PredicateExpressions.ClosedRange
  public typealias Range = PredicateExpressions.Range

  public static func closedRange<L: Node, R: Node>(_ lower: L, _ upper: R) -> ClosedRange<L, R>
  where L.Output == R.Output, L.Output: Comparable { .init(lower: lower, upper: upper) }
  public static func closedRange<L: Node>(_ lower: L, value upper: L.Output) -> ClosedRange<L, Value<L.Output>>
  where L.Output: Comparable { .init(lower: lower, upper: .init(upper)) }
  public static func closedRange<R: Node>(value lower: R.Output, _ upper: R) -> ClosedRange<Value<R.Output>, R>
  where R.Output: Comparable { .init(lower: .init(lower), upper: upper) }

  public static func range<L: Node, R: Node>(_ lower: L, _ upper: R) -> Range<L, R>
  where L.Output == R.Output, L.Output: Comparable { .init(lower: lower, upper: upper) }
  public static func range<L: Node>(_ lower: L, value upper: L.Output) -> Range<L, Value<L.Output>>
  where L.Output: Comparable { .init(lower: lower, upper: .init(upper)) }
  public static func range<R: Node>(value lower: R.Output, _ upper: R) -> Range<Value<R.Output>, R>
  where R.Output: Comparable { .init(lower: .init(lower), upper: upper) }
}
