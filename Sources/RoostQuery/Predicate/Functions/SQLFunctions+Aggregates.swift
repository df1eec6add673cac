internal import Foundation
import RoostCore
internal import RoostEngine

/// A sum that is too large for its type.
private struct SumOverflow: Error, CustomStringConvertible {
  var description: String { "The sum is greater than its type can hold." }
}

/// A column that should hold digits holds something else.
private struct NoDecimal: Error, CustomStringConvertible {
  var description: String { "A row to be summed has a text that is no decimal number." }
}

/// Aggregates that SQLite lacks: exact ones of numbers kept as digits, and of numbers kept as the bits of an `Int64`.
func addAggregates(to connection: Connection) {
  connection.addAggregate("roost_decimal_sum", arguments: 1, makeState: { Decimal(0) }) { sum, values in
    if let value = try decimal(values) { sum += value }
  } finish: {
    try text($0)
  }
  connection.addAggregate("roost_decimal_average", arguments: 1, makeState: { (sum: Decimal(0), count: 0) }) {
    state, values in
    guard let value = try decimal(values) else { return }
    state.sum += value
    state.count += 1
  } finish: {
    $0.count == 0 ? .null : try text($0.sum / Decimal($0.count))
  }
  connection.addAggregate("roost_unsigned_sum", arguments: 1, makeState: { UInt64(0) }) { sum, values in
    guard let value = unsigned(values) else { return }
    let (result, overflows) = sum.addingReportingOverflow(value)
    if overflows { throw SumOverflow() }
    sum = result
  } finish: {
    .integer(Int64(bitPattern: $0))
  }
  addUnsignedExtreme("roost_unsigned_min", to: connection, min)
  addUnsignedExtreme("roost_unsigned_max", to: connection, max)
}

private func addUnsignedExtreme(
  _ name: String, to connection: Connection, _ choose: @escaping @Sendable (UInt64, UInt64) -> UInt64
) {
  connection.addAggregate(name, arguments: 1, makeState: { UInt64?.none }) { found, values in
    guard let value = unsigned(values) else { return }
    found = found.map { choose($0, value) } ?? value
  } finish: {
    $0.map { .integer(Int64(bitPattern: $0)) } ?? .null
  }
}

private func unsigned(_ values: FunctionArguments) -> UInt64? {
  values.isNull(0) ? nil : UInt64(bitPattern: values.int64(0))
}

private func decimal(_ values: FunctionArguments) throws -> Decimal? {
  if values.isNull(0) { return nil }
  return try values.withText(0) { text throws in
    guard let value = DecimalText.decimal(text) else { throw NoDecimal() }
    return value
  }
}

private func text(_ value: Decimal) throws -> DatabaseValue {
  if value.isNaN { throw SumOverflow() }
  return .text(DecimalText.text(value))
}
