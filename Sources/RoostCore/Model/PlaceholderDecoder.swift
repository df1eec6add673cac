/// Decodes examples: zeros, empty strings and collections, nil, first cases, unless a probe chooses others.
struct PlaceholderDecoder: Decoder {
  var codingPath: [any CodingKey] = []
  var probe: ExampleProbe?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The number of the example to give here.
  var example: Int { probe?.example(at: codingPath) ?? 0 }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let example = example
    let number = probe?.variesCasesOnly ?? false ? min(example, 1) : example
    if let native = (type as? any _NativeValue.Type)?.example(number) as? Value { return native }
    if let cases = type as? any CaseIterable.Type, let value = Placeholder.example(cases, example) as? Value {
      return value
    }
    if example == 0, let zero = Placeholder.zero(type) { return zero }
    if example > 0, let value = Placeholder.enumCase(type, example) { return value }
    // A type that contains itself, in its first case or an element, has no end.
    guard codingPath.count < 64 else { throw refusal(type) }
    return try type.init(from: self)
  }

  func refusal(_ type: Any.Type) -> DecodingError {
    .valueNotFound(type, DecodingError.Context(codingPath: codingPath, debugDescription: "There is no value."))
  }

  func inside(_ key: (any CodingKey)?) -> PlaceholderDecoder {
    PlaceholderDecoder(codingPath: codingPath + [key ?? NoKey()], probe: probe)
  }

  /// The value at a key, of which the probe is told.
  func noted<Value: Decodable>(_ type: Value.Type, _ key: (any CodingKey)?) throws -> Value {
    let decoder = inside(key)
    CodableTypes.notePart(type)
    probe?.note(type, at: decoder.codingPath)
    return try decoder.value(type)
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

    func decodeNil() -> Bool { decoder.example == 0 }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.noted(type, nil) }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: PlaceholderDecoder
    var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { decoder.example == 0 ? 0 : 1 }
    var isAtEnd: Bool { currentIndex >= count ?? 0 }

    func decodeNil() -> Bool { decoder.example == 0 }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try advance(type)
      return try decoder.noted(type, nil)
    }
    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      try advance(type)
      return decoder.inside(nil).container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try advance(Self.self)
      return Unkeyed(decoder: decoder.inside(nil))
    }
    mutating func superDecoder() throws -> any Decoder {
      try advance(PlaceholderDecoder.self)
      return decoder.inside(nil)
    }

    /// Whoever knows how many elements there must be is given them. Whoever reads until there are no more, whatever
    /// `isAtEnd` says, has to come to an end.
    private mutating func advance(_ type: Any.Type) throws {
      guard currentIndex < 1_000 else { throw decoder.refusal(type) }
      currentIndex += 1
    }
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    /// An enum with payloads looks here for its case.
    var allKeys: [Key] {
      decoder.probe?.noteKeys(at: codingPath)
      let example = decoder.example
      if example > 0, let key = Placeholder.enumCase(Key.self, example) ?? Placeholder.zero(Key.self) { return [key] }
      // A dictionary's keys may be any.
      return (Placeholder.zero(Key.self) ?? (example == 0 ? nil : Key(stringValue: "1"))).map { [$0] } ?? []
    }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool {
      let decoder = decoder.inside(key)
      decoder.probe?.noteNil(at: decoder.codingPath)
      return decoder.example == 0
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder.noted(type, key)
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
