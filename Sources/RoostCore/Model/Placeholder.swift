extension _AttributeCodec {
  /// What stands for a value that was never set or stored; nil when the type has nothing of the kind.
  static var emptyValue: Value? { placeholder ?? Placeholder.zero(Value.self) ?? Placeholder.decoded(Value.self) }

  static var hasEmptyValue: Bool { emptyValue != nil }
}

/// A value of a type that offers none by itself: for a non-optional property of a model whose row is gone.
package enum Placeholder {
  /// The empty value, or another when the type's own `init(from:)` refuses that; nil when it refuses every example.
  static func make<Value: Decodable>(_ type: Value.Type) -> Value? {
    (0..<ExampleProbe.exampleCount).lazy.compactMap { number in
      try? PlaceholderDecoder(probe: ExampleProbe { _ in number }).value(type)
    }.first
  }

  /// The same for a type of which it is not known whether it can be decoded.
  static func decoded<Value>(_ type: Value.Type) -> Value? {
    func open<Decoded: Decodable>(_ type: Decoded.Type) -> Value? { make(type) as? Value }
    return CodableTypes.decodable(type).flatMap { open($0) }
  }

  static func firstCase<Cases: CaseIterable>(_ type: Cases.Type) -> Any? { type.allCases.first }

  /// The value of all-zero bits, of types without references.
  static func zero<Value>(_ type: Value.Type) -> Value? {
    guard _isPOD(type), type != Never.self else { return nil }
    // SAFETY: all-zero bits are the first case of an enum without payloads and zero in every number; types whose bits
    // are references are not POD.
    return withUnsafeTemporaryAllocation(
      byteCount: max(MemoryLayout<Value>.size, 1), alignment: MemoryLayout<Value>.alignment
    ) { buffer in
      for index in buffer.indices { buffer[index] = 0 }
      return buffer.load(as: Value.self)
    }
  }
}
