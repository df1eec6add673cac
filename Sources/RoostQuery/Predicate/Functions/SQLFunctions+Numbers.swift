internal import Foundation
import RoostCore
internal import RoostEngine

func addNumericFunctions(to connection: Connection) {
  addStrictFunction("roost_float", arguments: 1, to: connection) { values in
    .real(Double(Float(values.double(0))))
  }
  addStrictFunction("roost_divide", arguments: 2, to: connection) { values in
    .real(values.double(0) / values.double(1))
  }
  addStrictFunction("roost_double", arguments: 1, to: connection) { values in
    .real(Double(bitPattern: UInt64(bitPattern: values.int64(0))))
  }
  addStrictFunction("roost_unsigned_double", arguments: 1, to: connection) { values in
    .real(Double(UInt64(bitPattern: values.int64(0))))
  }
  addStrictFunction("roost_unhex", arguments: 1, to: connection) { values in
    values.withText(0) { .blob(bytes(hexadecimal: $0)) }
  }
  addUnsigned("roost_unsigned_add", to: connection) { $0.addingReportingOverflow($1) }
  addUnsigned("roost_unsigned_subtract", to: connection) { $0.subtractingReportingOverflow($1) }
  addUnsigned("roost_unsigned_multiply", to: connection) { $0.multipliedReportingOverflow(by: $1) }
  addUnsigned("roost_unsigned_divide", to: connection) { $0.dividedReportingOverflow(by: $1) }
  addUnsigned("roost_unsigned_remainder", to: connection) { $0.remainderReportingOverflow(dividingBy: $1) }
  addDecimal("roost_decimal_add", to: connection) { $0 + $1 }
  addDecimal("roost_decimal_subtract", to: connection) { $0 - $1 }
  addDecimal("roost_decimal_multiply", to: connection) { left, right in
    // Foundation traps on a product with more digits behind the point than a Decimal has.
    guard left.isZero || right.isZero || left.exponent + right.exponent >= -128 else { return nil }
    return left * right
  }
}

/// Adds arithmetic on numbers kept as the `Int64` of the same bits. What overflows is NULL.
private func addUnsigned(
  _ name: String, to connection: Connection,
  _ body: @escaping @Sendable (UInt64, UInt64) -> (partialValue: UInt64, overflow: Bool)
) {
  addStrictFunction(name, arguments: 2, to: connection) { values in
    let result = body(UInt64(bitPattern: values.int64(0)), UInt64(bitPattern: values.int64(1)))
    return result.overflow ? .null : .integer(Int64(bitPattern: result.partialValue))
  }
}

/// Adds arithmetic on numbers kept as digits. What Foundation cannot compute is NULL.
private func addDecimal(
  _ name: String, to connection: Connection, _ body: @escaping @Sendable (Decimal, Decimal) -> Decimal?
) {
  addStrictFunction(name, arguments: 2, to: connection) { values in
    guard let left = values.withText(0, { DecimalText.decimal($0) }),
      let right = values.withText(1, { DecimalText.decimal($0) })
    else { return .null }
    return body(left, right).map { .text(DecimalText.text($0)) } ?? .null
  }
}

/// The bytes that pairs of hexadecimal digits spell; what is no digit counts as 0.
private func bytes(hexadecimal text: UnsafeRawBufferPointer) -> [UInt8] {
  func digit(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: 0
    }
  }
  return stride(from: 0, to: text.count - 1, by: 2).map { digit(text[$0]) << 4 | digit(text[$0 + 1]) }
}
