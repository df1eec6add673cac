internal import Foundation
internal import RoostSQL

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let sequence = try translator.term(sequence)
    let element = try translator.term(element)
    switch sequence {
    case .elements(let elements):
      return .condition(try translator.exists(elements) { try translator.equal($0, element, self) })
    case .range: return .condition(try translator.contains(sequence, element, self))
    case .value(let value):
      if let elements = JSONArrays.elements(LHS.Output.self, value) {
        return .condition(try translator.exists(elements) { try translator.equal($0, element, self) })
      }
      if case .constant(let constant) = element, let test = try JSONArrays.contains(LHS.Output.self, value, constant) {
        return .condition(test)
      }
    case .constant(let value as any Sequence):
      if value is any RangeExpression { return .condition(try translator.contains(sequence, element, self)) }
      return .condition(try translator.contains(Array(value.map { $0 as Any }), element, self))
    default: break
    }
    return try translator.constantOrUnsupported(self, "SQL cannot look into it.")
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(sequence)).contains(\(translator.source(element)))"
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    .condition(try translator.contains(sequence, variable, where: test, self))
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(sequence)).contains { \(translator.source(test)) }"
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    .condition(.negation(try translator.contains(sequence, variable, where: test, negated: true, self)))
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(sequence)).allSatisfy { \(translator.source(test)) }"
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    guard var elements = try translator.elements(sequence) else {
      return try translator.constantOrUnsupported(self, "SQL can filter relationships and arrays of plain values.")
    }
    elements.filters.append { element in
      try translator.binding(variable, to: element) { try translator.condition(filter) }
    }
    return .elements(elements)
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(sequence)).filter { \(translator.source(filter)) }"
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.extreme(elements, isMaximum: false, self)
  }
  func source(_ translator: Translator) -> String { "\(translator.operand(elements)).min()" }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.extreme(elements, isMaximum: true, self)
  }
  func source(_ translator: Translator) -> String { "\(translator.operand(elements)).max()" }
}
