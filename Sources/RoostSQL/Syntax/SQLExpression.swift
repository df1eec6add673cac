/// A value-producing piece of SQL.
///
/// Values are always `.value` (bound as arguments) and names are always `.column` (quoted): no case holds SQL text.
package indirect enum SQLExpression: Hashable, Sendable {
  /// A constant. Printed as a parameter and bound, except in a schema statement, where SQLite only takes literals.
  case value(SQLValue)
  /// A parameter that whoever runs the statement binds; it takes the place of `.null` among the arguments.
  case parameter
  /// The parameter of that number once more, from 1, which stands before it.
  case sameParameter(Int)
  case column(table: String?, name: String)
  case not(SQLExpression)
  case binary(SQLBinaryOperator, SQLExpression, SQLExpression)
  /// All operands hold. Empty means true.
  case all([SQLExpression])
  /// At least one operand holds. Empty means false.
  case any([SQLExpression])
  case isNull(SQLExpression)
  case isNotNull(SQLExpression)
  case between(SQLExpression, lower: SQLExpression, upper: SQLExpression)
  case inList(SQLExpression, [SQLExpression])
  case inSelect(SQLExpression, SQLSelect)
  case exists(SQLSelect)
  /// A select of one column used as a value: NULL when it has no row.
  case subquery(SQLSelect)
  case function(SQLFunction, [SQLExpression])
  case aggregate(SQLFunction, SQLExpression, isDistinct: Bool)
  case countAll
  case cast(SQLExpression, SQLType)
  case collate(SQLExpression, SQLCollation)
  case conditional([SQLBranch], otherwise: SQLExpression?)
  /// A row value, to compare several columns at once.
  case row([SQLExpression])
  /// The way into a JSON text. Always a literal: SQLite finds an index on an expression by its text.
  case jsonPath([SQLJSONStep])
  /// A constant that is printed, not bound: part of an expression that SQLite is to find an index of.
  case literal(SQLValue)
}

/// One `WHEN … THEN …`.
package struct SQLBranch: Hashable, Sendable {
  package var condition: SQLExpression
  package var result: SQLExpression

  package init(when condition: SQLExpression, then result: SQLExpression) {
    self.condition = condition
    self.result = result
  }
}

extension SQLExpression {
  /// A column of the table or alias.
  package static func column(_ table: String, _ name: String) -> SQLExpression { .column(table: table, name: name) }
  /// A column without a table in front.
  package static func column(_ name: String) -> SQLExpression { .column(table: nil, name: name) }
  /// A bound integer.
  package static func integer(_ value: Int64) -> SQLExpression { .value(.integer(value)) }
  /// A bound string.
  package static func text(_ value: String) -> SQLExpression { .value(.text(value)) }
  /// A bound NULL.
  package static var null: SQLExpression { .value(.null) }
  /// A bound 1 or 0.
  package static func boolean(_ value: Bool) -> SQLExpression { .value(.integer(value ? 1 : 0)) }
  /// A column of the row that an insertion could not insert.
  package static func excluded(_ name: String) -> SQLExpression { .column(table: "excluded", name: name) }

  /// Negates a condition.
  package static prefix func ! (operand: SQLExpression) -> SQLExpression { .not(operand) }

  /// The constant that this expression is, or nil.
  package var constant: SQLValue? {
    if case .value(let value) = self { value } else { nil }
  }
}
