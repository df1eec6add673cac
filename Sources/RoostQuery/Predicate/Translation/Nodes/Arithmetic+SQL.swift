internal import Foundation
internal import RoostSQL

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    guard let operation else { throw translator.unsupported(self, "Roost does not know the operator \(op) yet.") }
    return try translator.compute(translator.term(lhs), operation, translator.term(rhs), type: Output.self, self)
  }

  /// nil for an operator of a later Foundation.
  private var operation: NumericOperation? {
    switch op {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    @unknown default: nil
    }
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(lhs)) \(operation?.sql.rawValue ?? "\(op)") \(translator.operand(rhs))"
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.compute(translator.term(lhs), .divide, translator.term(rhs), type: Output.self, self)
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) / \(translator.operand(rhs))" }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.compute(translator.term(lhs), .divide, translator.term(rhs), type: Output.self, self)
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) / \(translator.operand(rhs))" }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.compute(translator.term(lhs), .remainder, translator.term(rhs), type: Output.self, self)
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) % \(translator.operand(rhs))" }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let operand = try translator.term(wrapped)
    // 0 - x would make -0.0 of no Double.
    let isInteger = Output.self is any FixedWidthInteger.Type
    let constant: Output = isInteger ? 0 : -1
    return try translator.compute(
      .constant(constant), isInteger ? .subtract : .multiply, operand, type: Output.self, self)
  }

  func source(_ translator: Translator) -> String { "-\(translator.operand(wrapped))" }
}
