/// An operator with two operands, spelled as in SQL.
package enum SQLBinaryOperator: String, Hashable, Sendable {
  case equal = "="
  case notEqual = "<>"
  /// Equality that is never NULL.
  case `is` = "IS"
  /// Inequality that is never NULL.
  case isNot = "IS NOT"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case concatenate = "||"
  case match = "MATCH"
  case jsonText = "->"
}
