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
    let strings = try JSONText.decode([String].self, from: values.string(0))
    let index = Int(values.int64(1))
    return strings.indices.contains(index) ? .text(strings[index]) : .null
  }
}

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
