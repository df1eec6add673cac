internal import Foundation
import RoostCore
internal import RoostSQL

/// Indexes on values inside JSON texts.
///
/// Schemas hold nothing but SQLite's own functions, which read some values but nearly: a fraction, a number beyond
/// `Int64`, a string with a NUL. So a condition first says what the index knows, and then what is exactly so.
enum JSONIndexes {
  /// What holds for the indexed form of each value equal to a constant; nil when an index is of no use, or not needed.
  static func equal(_ value: ValueTerm, _ constant: SQLValue) -> SQLExpression? {
    guard let indexed = value.indexed, indexed != value.sql else { return nil }
    switch (value.meaning.baseSemantics, constant) {
    case (.string, .text(let text)):
      guard !text.utf8.contains(0), SwiftStrings.spellings(of: text) != nil else { return nil }
      return SwiftStrings.equal(indexed, text)
    case (.uuid, .blob(let data)):
      return UUID._decode(.blob(data)).map { .binary(.equal, indexed, .text($0.uuidString)) }
    default:
      return range(value.meaning, constant).map {
        .between(indexed, lower: .value(.real($0.lowerBound)), upper: .value(.real($0.upperBound)))
      }
    }
  }

  /// The same for values less or greater than a constant.
  static func compare(_ value: ValueTerm, _ operator: SQLBinaryOperator, _ constant: SQLValue) -> SQLExpression? {
    guard let indexed = value.indexed, indexed != value.sql else { return nil }
    let isLess = `operator` == .less || `operator` == .lessOrEqual
    if value.meaning.baseSemantics == .uuid, case .blob(let data) = constant, let uuid = UUID._decode(.blob(data)) {
      return .binary(isLess ? .lessOrEqual : .greaterOrEqual, indexed, .text(uuid.uuidString))
    }
    guard let range = range(value.meaning, constant) else { return nil }
    if !isLess { return .binary(.greaterOrEqual, indexed, .value(.real(range.lowerBound))) }
    // Infinities are texts, which follow all numbers.
    return .disjunction([
      .binary(.lessOrEqual, indexed, .value(.real(range.upperBound))), .binary(.equal, indexed, .text("-inf")),
    ])
  }

  /// Where a number lies, whatever SQLite makes of its digits.
  private static func range(_ meaning: ColumnMeaning, _ constant: SQLValue) -> ClosedRange<Double>? {
    let number: Double? =
      switch (meaning.baseSemantics, constant) {
      case (.real, .real(let value)), (.date, .real(let value)): value
      case (.unsigned, .integer(let value)): Double(UInt64(bitPattern: value))
      case (.decimal, .text(let text)): Double(text)
      default: nil
      }
    guard let number, number.isFinite else { return nil }
    let margin = max(abs(number) * 1e-12, .leastNormalMagnitude)
    return (number - margin)...(number + margin)
  }
}
