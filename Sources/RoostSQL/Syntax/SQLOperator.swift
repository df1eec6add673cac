/// An operator with one operand.
package enum SQLUnaryOperator: String, Hashable, Sendable {
  case not = "NOT "
  /// The space keeps a negative literal behind it from making a comment.
  case minus = "- "
}

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
  case bitAnd = "&"
  case bitOr = "|"
  case shiftLeft = "<<"
  case shiftRight = ">>"
  case like = "LIKE"
  case glob = "GLOB"
  case match = "MATCH"
  case jsonText = "->"
  case jsonValue = "->>"
}
