internal import Foundation
import RoostCore
internal import RoostSQL

/// An arithmetic operator.
enum NumericOperation {
  case add, subtract, multiply, divide, remainder

  var sql: SQLBinaryOperator {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide: .divide
    case .remainder: .remainder
    }
  }

  fileprivate var unsigned: SQLFunction {
    switch self {
    case .add: .unsignedAdd
    case .subtract: .unsignedSubtract
    case .multiply: .unsignedMultiply
    case .divide: .unsignedDivide
    case .remainder: .unsignedRemainder
    }
  }

  fileprivate var decimal: SQLFunction? {
    switch self {
    case .add: .decimalAdd
    case .subtract: .decimalSubtract
    case .multiply: .decimalMultiply
    case .divide, .remainder: nil
    }
  }
}

extension Translator {
  /// `left + right` and the like. Where Swift would trap the row does not match: SQL's own way out, a REAL or a NULL,
  /// is recognised.
  func compute(
    _ left: Term, _ operation: NumericOperation, _ right: Term, type: Any.Type, _ node: some PredicateExpression
  ) throws -> Term {
    let one = try value(left, type: type, like: right, node)
    let other = try value(right, type: type, like: left, node)
    let operands = [one.sql, other.sql]
    let plain = SQLExpression.binary(operation.sql, one.sql, other.sql)
    switch one.meaning.semantics {
    case .integer:
      guard let type = type as? any FixedWidthInteger.Type else { throw unsupported(node, "It is no integer.") }
      failOnOverflow(plain, operation, one.sql, other.sql, type)
      return .value(ValueTerm(sql: plain, meaning: one.meaning))
    case .unsigned:
      let result = SQLExpression.function(operation.unsigned, operands)
      fail(when: .isNull(result))
      return .value(ValueTerm(sql: result, meaning: one.meaning))
    case .real:
      let exact = operation == .divide ? .function(.divideReal, operands) : plain
      let result = type == Float.self ? SQLExpression.function(.float, [exact]) : exact
      return .value(ValueTerm(sql: result, meaning: one.meaning, mayBeNaN: true))
    case .decimal:
      guard let function = operation.decimal else { break }
      let result = SQLExpression.function(function, operands)
      fail(when: .isNull(result))
      return .value(ValueTerm(sql: result, meaning: one.meaning))
    default: break
    }
    throw unsupported(node, "SQL cannot compute with `\(type)`.")
  }

  private func failOnOverflow<Number: FixedWidthInteger>(
    _ result: SQLExpression, _ operation: NumericOperation, _ left: SQLExpression, _ right: SQLExpression,
    _ type: Number.Type
  ) {
    if operation == .divide || operation == .remainder {
      fail(when: .binary(.equal, right, .integer(0)))
    }
    if operation == .remainder {
      // Swift computes the quotient, too, and traps when that is too large.
      guard Number.isSigned else { return }
      let lowest = SQLExpression.binary(.equal, left, .integer(Int64(Number.min)))
      return fail(when: .conjunction([lowest, .binary(.equal, right, .integer(-1))]))
    }
    if operation == .divide, !Number.isSigned { return }
    if Number.bitWidth == 64 { return fail(when: .negation(result.isInteger)) }
    let fits = SQLExpression.between(
      result, lower: .integer(Int64(Number.min)), upper: .integer(Int64(Number.max)))
    fail(when: .negation(.isTrueOrNull(fits)))
  }
}

extension SQLExpression {
  /// Whether the result of arithmetic on integers is one too, and not the REAL that SQLite makes of an overflow.
  var isInteger: SQLExpression { .isTrueOrNull(.binary(.equal, .function(.typeOf, [self]), .text("integer"))) }

  /// NULL comes from a division by zero, which has failed already.
  fileprivate static func isTrueOrNull(_ condition: SQLExpression) -> SQLExpression {
    .function(.coalesce, [condition, .boolean(true)])
  }
}
