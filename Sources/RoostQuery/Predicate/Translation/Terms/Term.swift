import RoostCore
internal import RoostSQL

/// What a node of a predicate is in SQL.
indirect enum Term {
  /// A Swift value. It becomes SQL when the term on the other side says in which form.
  case constant(Any)
  /// An SQL value that stands for a Swift value, never for nil.
  case value(ValueTerm)
  /// A model.
  case row(RowTerm)
  /// The elements of a relationship or of a JSON array, perhaps filtered.
  case elements(ElementsTerm)
  case range(RangeTerm)
  /// The value of an attribute that may be in a file, where SQL cannot look.
  case external(PropertyInfo)
  /// A Swift optional. What is inside means something only in rows where `isNil` is false.
  case optional(isNil: SQLExpression, Term)
}

/// An SQL value, and how to read it.
struct ValueTerm {
  var sql: SQLExpression
  var meaning: ColumnMeaning
  /// Whether NULL may stand for NaN, which SQLite does not have.
  var mayBeNaN = false
  /// Where in a JSON text the value is, so that what is inside can be asked for.
  var json: JSONPlace?
  /// What an index keeps of the value, which may be less than the value.
  var indexed: SQLExpression?
}

/// The bounds of a range whose values are compared, not enumerated.
struct RangeTerm {
  var lower: Term?
  var upper: Term?
  var includesUpper: Bool
}

extension Term {
  /// A condition: 1 or 0, never NULL in a row where the predicate can be evaluated.
  static func condition(_ sql: SQLExpression) -> Term {
    if sql == .true { return .constant(true) }
    if sql == .false { return .constant(false) }
    return .value(ValueTerm(sql: sql, meaning: .boolean))
  }
}
