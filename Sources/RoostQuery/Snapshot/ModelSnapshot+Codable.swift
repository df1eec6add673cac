import RoostCore
import RoostSQL

extension ModelSnapshot: Codable {
  private typealias Key = DataStoreSnapshotCodingKey

  /// Decodes what `encode(to:)` wrote, or others did under the properties' names.
  ///
  /// What is optional may be missing, and what the model does not have is passed over.
  /// - Throws: `DecodingError` with the property that is missing or whose value is none of its type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    storage = DefaultSnapshot(
      persistentIdentifier: try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier))
    for property in Self.entity.properties {
      storage.values[property.name] = try Self.decode(property, from: container)
    }
  }

  private static func decode(
    _ property: PropertyInfo, from container: KeyedDecodingContainer<Key>
  ) throws -> SnapshotValue {
    let key = Key.modeledProperty(property.name)
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) throws -> SnapshotValue {
      // What only a transformer knows is coded as the store has it.
      guard let type = CodableTypes.decodable(Codec.Value.self),
        let decoded = try container.decode(type, forKey: key) as? Codec.Value
      else {
        let stored = try container.decode(SnapshotValue.self, forKey: key)
        if Codec.value(of: stored) != nil { return stored }
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "The transformer makes no \(Codec.Value.self) of it.")
      }
      let value = Codec.snapshotValue(of: decoded)
      if case .refused(let reason) = value {
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: reason)
      }
      return value
    }
    switch property.kind {
    case .attribute(let codec):
      if codec.isOptional, try !container.contains(key) || container.decodeNil(forKey: key) { return .attribute(.null) }
      return try open(codec)
    case .toOne(let relationship):
      return .toOne(
        relationship.isOptional
          ? try container.decodeIfPresent(PersistentIdentifier.self, forKey: key)
          : try container.decode(PersistentIdentifier.self, forKey: key))
    case .toMany:
      return .toMany(try container.decode([PersistentIdentifier].self, forKey: key))
    }
  }

  /// Encodes each property under its name: attributes as their types do, relationships as identifiers.
  ///
  /// What is nil is left out.
  /// - Throws: `EncodingError` with the property whose value its type refused to encode.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(persistentModelID, forKey: .persistentIdentifier)
    for property in Self.entity.properties {
      guard let value = storage.values[property.name] else { continue }
      try Self.encode(value, property, to: &container)
    }
  }

  private static func encode(
    _ value: SnapshotValue, _ property: PropertyInfo, to container: inout KeyedEncodingContainer<Key>
  ) throws {
    let key = Key.modeledProperty(property.name)
    switch (property.kind, value) {
    case (_, .attribute(.null)): break
    case (_, .toOne(let identifier)): try container.encodeIfPresent(identifier, forKey: key)
    case (_, .toMany(let identifiers)): try container.encode(identifiers, forKey: key)
    case (.attribute(let codec), .attribute): try encode(value, codec, key, to: &container)
    case (_, .attribute), (_, .refused): try container.encode(value, forKey: key)
    }
  }

  private static func encode<Codec: _AttributeCodec>(
    _ value: SnapshotValue, _ codec: Codec.Type, _ key: Key, to container: inout KeyedEncodingContainer<Key>
  ) throws {
    guard let decoded = Codec.value(of: value) else {
      let path = container.codingPath + [key]
      throw EncodingError.invalidValue(
        value, .init(codingPath: path, debugDescription: "\(Codec.Value.self) cannot be decoded from what it encoded."))
    }
    if let decoded = CodableTypes.encodable(decoded as Any) {
      try container.encode(decoded, forKey: key)
    } else {
      try container.encode(value, forKey: key)
    }
  }
}
