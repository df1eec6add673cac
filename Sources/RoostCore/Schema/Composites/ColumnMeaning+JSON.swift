package import RoostSQL
internal import Synchronization

// Values inside JSON texts.
extension ColumnMeaning {
  /// What the values mean: an enum that is not encoded as its raw value is no more than JSON.
  package static func inJSON(_ type: Any.Type) -> ColumnMeaning? {
    guard let meaning = ColumnMeaning(type: type) else { return nil }
    guard case .rawValue = meaning.semantics, !isEncodedAsRawValue(type) else { return meaning }
    func json<Value: Decodable>(_ type: Value.Type) -> ColumnMeaning { ColumnMeaning(_JSONCodec<Value>.self) }
    return CodableTypes.decodable(type).map { json($0) }
  }

  private static let rawTypes = Mutex<[ObjectIdentifier: Bool]>([:])

  private static func isEncodedAsRawValue(_ type: Any.Type) -> Bool {
    if let known = rawTypes.withLock({ $0[ObjectIdentifier(type)] }) { return known }
    let isRaw = encodesRawValue(type)
    rawTypes.withLock { $0[ObjectIdentifier(type)] = isRaw }
    return isRaw
  }

  private static func encodesRawValue(_ type: Any.Type) -> Bool {
    func open<Value: Codable & RawRepresentable>(_ type: Value.Type) -> Bool {
      (0...1).allSatisfy { number in
        let decoder = PlaceholderDecoder(probe: ExampleProbe { _ in number })
        guard let value = try? decoder.value(type), let raw = value.rawValue as? any Encodable,
          let text = try? JSONText.encode(value), let other = try? JSONText.encode(raw)
        else { return false }
        return text == other
      }
    }
    return (type as? any (Codable & RawRepresentable).Type).map { open($0) } ?? false
  }

  /// What an index keeps of a value.
  package func indexed(_ place: JSONPlace) -> SQLExpression {
    // JSON may spell a UUID in small letters too.
    baseSemantics == .uuid ? .function(.upper, [place.extracted]) : place.extracted
  }

  /// Whether an index has the very values, so that it can tell equal ones.
  var isExactInIndex: Bool {
    switch baseSemantics {
    case .boolean, .integer, .string, .uuid, .url: true
    default: false
    }
  }
}
