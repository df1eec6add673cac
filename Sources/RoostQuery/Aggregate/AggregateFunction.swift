import RoostCore
internal import RoostSQL

/// What many values are made one by.
enum AggregateFunction {
  case sum, average, minimum, maximum, countDistinct

  /// The aggregate of a value over the rows of a query.
  func apply(to value: ValueTerm, name: String, _ translator: Translator) throws -> ValueTerm {
    switch self {
    case .sum: try sum(value, name)
    case .average: try average(value, name)
    case .minimum: try extreme(value, .minimum, .unsignedMinimum, name, translator)
    case .maximum: try extreme(value, .maximum, .unsignedMaximum, name, translator)
    case .countDistinct:
      ValueTerm(
        sql: .aggregate(
          .count, Selected<Int>(value, name: name, orders: try translator.sortKeys(value)).identity, isDistinct: true),
        meaning: .integer)
    }
  }

  private func sum(_ value: ValueTerm, _ name: String) throws -> ValueTerm {
    var result = value
    switch value.meaning.semantics {
    case .integer:
      result = ValueTerm(
        sql: .function(.coalesce, [.aggregate(.sum, value.sql, isDistinct: false), .integer(0)]), meaning: .integer)
    case .real: result = ValueTerm(sql: .aggregate(.total, value.sql, isDistinct: false), meaning: .real)
    case .unsigned: result.sql = .aggregate(.unsignedSum, value.sql, isDistinct: false)
    case .decimal: result.sql = .aggregate(.decimalSum, value.sql, isDistinct: false)
    default: throw Self.unsupported(name, "is no number")
    }
    return result
  }

  private func average(_ value: ValueTerm, _ name: String) throws -> ValueTerm {
    switch value.meaning.semantics {
    case .integer, .real: ValueTerm(sql: .aggregate(.average, value.sql, isDistinct: false), meaning: .real)
    case .unsigned:
      ValueTerm(sql: .aggregate(.average, .function(.unsignedDouble, [value.sql]), isDistinct: false), meaning: .real)
    case .decimal:
      ValueTerm(sql: .aggregate(.decimalAverage, value.sql, isDistinct: false), meaning: value.meaning)
    default: throw Self.unsupported(name, "is no number")
    }
  }

  private func extreme(
    _ value: ValueTerm, _ function: SQLFunction, _ unsigned: SQLFunction, _ name: String, _ translator: Translator
  ) throws -> ValueTerm {
    var result = value
    switch value.meaning.semantics {
    case .unsigned: result.sql = .aggregate(unsigned, value.sql, isDistinct: false)
    case .boolean, .integer, .real, .date, .uuid, .string, .decimal:
      // With the collation by which SQLite compares the values.
      guard let key = try translator.sortKeys(value)?.first else { fallthrough }
      result.sql = .aggregate(function, key, isDistinct: false)
    default: throw Self.unsupported(name, "has no order in SQL")
    }
    result.json = nil
    result.indexed = nil
    return result
  }

  private static func unsupported(_ name: String, _ problem: String) -> SwiftDataError {
    .unsupportedKeyPath("`\(name)` \(problem).")
  }
}
