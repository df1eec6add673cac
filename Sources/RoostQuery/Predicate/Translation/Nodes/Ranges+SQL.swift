internal import Foundation
internal import RoostSQL

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let range = RangeTerm(lower: try translator.term(lower), upper: try translator.term(upper), includesUpper: true)
    try translator.failWhenReversed(range, self)
    return .range(range)
  }

  func source(_ translator: Translator) -> String { "(\(translator.operand(lower))...\(translator.operand(upper)))" }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let range = RangeTerm(lower: try translator.term(lower), upper: try translator.term(upper), includesUpper: false)
    try translator.failWhenReversed(range, self)
    return .range(range)
  }

  func source(_ translator: Translator) -> String { "(\(translator.operand(lower))..<\(translator.operand(upper)))" }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let range = try translator.term(range)
    return .condition(try translator.contains(range, translator.term(element), self))
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(range)).contains(\(translator.source(element)))"
  }
}

extension Translator {
  /// Swift traps on a range whose lower bound is above its upper one: no row matches.
  fileprivate func failWhenReversed(_ range: RangeTerm, _ node: some PredicateExpression) throws {
    guard let lower = range.lower, let upper = range.upper else { return }
    fail(when: .negation(try compare(lower, .lessOrEqual, upper, node)))
  }

  /// `range.contains(element)`.
  func contains(_ range: Term, _ element: Term, _ node: some PredicateExpression) throws -> SQLExpression {
    let bounds: RangeTerm
    switch range {
    case .range(let range): bounds = range
    case .constant(let value as any ConstantRange): bounds = value.bounds
    default: throw unsupported(node, "Write the range's bounds in the predicate.")
    }
    var conditions: [SQLExpression] = []
    if let lower = bounds.lower { conditions.append(try compare(lower, .lessOrEqual, element, node)) }
    if let upper = bounds.upper {
      conditions.append(try compare(element, bounds.includesUpper ? .lessOrEqual : .less, upper, node))
    }
    return .conjunction(conditions)
  }
}

/// A range that was captured whole.
private protocol ConstantRange {
  var bounds: RangeTerm { get }
}

extension Range: ConstantRange {
  fileprivate var bounds: RangeTerm {
    RangeTerm(lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: false)
  }
}

extension ClosedRange: ConstantRange {
  fileprivate var bounds: RangeTerm {
    RangeTerm(lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: true)
  }
}

extension PartialRangeFrom: ConstantRange {
  fileprivate var bounds: RangeTerm { RangeTerm(lower: .constant(lowerBound), includesUpper: false) }
}

extension PartialRangeUpTo: ConstantRange {
  fileprivate var bounds: RangeTerm { RangeTerm(upper: .constant(upperBound), includesUpper: false) }
}

extension PartialRangeThrough: ConstantRange {
  fileprivate var bounds: RangeTerm { RangeTerm(upper: .constant(upperBound), includesUpper: true) }
}
