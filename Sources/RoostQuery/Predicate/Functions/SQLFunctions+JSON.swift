internal import Foundation
import RoostCore
internal import RoostEngine

func addJSONFunctions(to connection: Connection) {
  addStrictFunction("roost_json_equal", arguments: 3, to: connection) { values in
    let areSame = values.withText(0) { left in values.withText(1) { left.elementsEqual($0) } }
    // One text is one value, but a NaN in it is not equal to itself.
    if areSame, values.withText(0, { isWithoutNaN($0) }) { return .integer(1) }
    return try test(values)
  }
  addStrictFunction("roost_json_contains", arguments: 3, to: connection) { try test($0) }
  addStrictFunction("roost_json_string", arguments: 2, to: connection) { values in
    let strings = try JSONText.decode([String?].self, from: values.string(0))
    let index = Int(values.int64(1))
    return strings.indices.contains(index) ? strings[index].map { .text($0) } ?? .null : .null
  }
  addStrictFunction("roost_json_key_count", arguments: 1, to: connection) { values in
    .integer(Int64(try JSONText.decode([String: AnyJSON].self, from: values.string(0)).count))
  }
  addStrictFunction("roost_json_keys_without_nul", arguments: 1, to: connection) { values in
    .text(values.withText(0) { keysWithoutNUL($0) })
  }
  addStrictFunction("roost_json_double", arguments: 1, to: connection) { values in
    Double(number(values.string(0))).map { .real($0) } ?? .null
  }
  addStrictFunction("roost_json_float", arguments: 1, to: connection) { values in
    Float(number(values.string(0))).map { .real(Double($0)) } ?? .null
  }
  addStrictFunction("roost_json_unsigned", arguments: 1, to: connection) { values in
    let text = values.string(0)
    // Others may have written 1.0 for 1.
    let number = UInt64(text) ?? Double(text).flatMap { UInt64(exactly: $0) }
    return number.map { .integer(Int64(bitPattern: $0)) } ?? .null
  }
  addStrictFunction("roost_base64", arguments: 1, to: connection) { values in
    Data(base64Encoded: values.string(0)).map { .blob(Array($0)) } ?? .null
  }
}

/// A value that nobody looks at.
private struct AnyJSON: Decodable {
  init(from decoder: any Decoder) {}
}

/// The digits of a number; infinities, which JSON does not have, are strings.
private func number(_ text: String) -> Substring { text.hasPrefix("\"") ? text.dropFirst().dropLast() : text[...] }

private func test(_ values: FunctionArguments) throws -> DatabaseValue {
  guard let test = JSONTypes.test(values.int64(2)) else {
    throw DatabaseError(code: DatabaseError.misuse, message: "there is no JSON type \(values.int64(2))")
  }
  return .integer(test.holds(values.string(0), values.string(1)) ? 1 : 0)
}

/// Whether no NaN is written in a JSON text.
private func isWithoutNaN(_ text: UnsafeRawBufferPointer) -> Bool {
  let pattern: [UInt8] = Array("\"nan\"".utf8)
  return !pattern.withUnsafeBytes { UnicodeText.containsBytes(text, $0) }
}

/// A JSON text with U+0001 for each NUL in a key; SQLite from 3.45 on takes a key for what is before its NUL.
private func keysWithoutNUL(_ text: UnsafeRawBufferPointer) -> String {
  var bytes = Array(text)
  var nuls: [Int] = []
  var isInString = false
  var index = 0
  while index < bytes.count {
    switch bytes[index] {
    case UInt8(ascii: "\\") where isInString:
      if bytes[index...].starts(with: "\\u0000".utf8) { nuls.append(index + 5) }
      index += 1
    case UInt8(ascii: "\""):
      isInString.toggle()
      if isInString { nuls = [] }
    case UInt8(ascii: ":") where !isInString:
      for nul in nuls { bytes[nul] = UInt8(ascii: "1") }
    default: break
    }
    index += 1
  }
  return String(decoding: bytes, as: UTF8.self)
}
