/// What a required property reads as when its row is gone: a getter cannot throw.
///
/// An attribute reads as its declared default, else as a value that its type's own decoding makes of zeros and empty
/// values, or, where it refuses those, of ones. A relationship reads as a model in no context that is deleted.
package enum Placeholder {
  /// The numbers of the examples that a value is made of: empty ones, and ones.
  static let examples = 0...1

  package static func model<Model: PersistentModel>(_ type: Model.Type) -> Model {
    var row = _RowReader()
    let model = Model(_$row: &row)
    model._$state.flags.insert([.deleted, .vanished, .placeholder])
    return model
  }

  /// nil when the type refuses every example.
  static func attribute<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Codec.Value? {
    codec.placeholder ?? zero(Codec.Value.self) ?? decoded(Codec.Value.self)
  }

  static func make<Value: Decodable>(_ type: Value.Type) -> Value? {
    examples.lazy.compactMap { number in
      try? PlaceholderDecoder(probe: ExampleProbe { _ in number }).value(type)
    }.first
  }

  /// The same for a type of which it is not known whether it can be decoded.
  static func decoded<Value>(_ type: Value.Type) -> Value? {
    func open<Decoded: Decodable>(_ type: Decoded.Type) -> Value? { make(type) as? Value }
    return CodableTypes.decodable(type).flatMap { open($0) }
  }

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
