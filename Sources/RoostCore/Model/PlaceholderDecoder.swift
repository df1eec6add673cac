/// Decodes nothing: zeros, empty strings and collections, nil, first cases.
struct PlaceholderDecoder: Decoder {
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let native = (type as? any _NativeValue.Type)?._placeholder as? Value { return native }
    if let cases = type as? any CaseIterable.Type, let first = Placeholder.firstCase(cases) as? Value { return first }
    if let zero = Placeholder.zero(type) { return zero }
    // A type that contains itself, in its first case or an element, has no end.
    guard codingPath.count < 64 else { throw refusal(type) }
    return try type.init(from: self)
  }

  func refusal(_ type: Any.Type) -> DecodingError {
    .valueNotFound(type, DecodingError.Context(codingPath: codingPath, debugDescription: "There is no value."))
  }

  func inside(_ key: (any CodingKey)?) -> PlaceholderDecoder {
    PlaceholderDecoder(codingPath: codingPath + [key ?? NoKey()])
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(decoder: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  private struct NoKey: CodingKey {
    var stringValue: String { "" }
    var intValue: Int? { nil }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.inside(nil).value(type) }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.inside(nil).value(type) }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      decoder.inside(nil).container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(decoder: decoder.inside(nil)) }
    func superDecoder() -> any Decoder { decoder.inside(nil) }
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    /// An enum with payloads looks here for its case.
    var allKeys: [Key] { Placeholder.zero(Key.self).map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder.inside(key).value(type)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { decoder.inside(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      Unkeyed(decoder: decoder.inside(key))
    }
    func superDecoder() -> any Decoder { decoder.inside(nil) }
    func superDecoder(forKey key: Key) -> any Decoder { decoder.inside(key) }
  }
}
