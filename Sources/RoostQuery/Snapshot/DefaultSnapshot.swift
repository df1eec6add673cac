public import RoostCore

/// A snapshot of any model: what each property has in the store, by the property's name.
///
/// A custom store keeps it encoded, and re-identifies it with ``copy(persistentIdentifier:remappedIdentifiers:)``.
/// Source: SwiftData's `DefaultSnapshot`.
public struct DefaultSnapshot: DataStoreSnapshot, Hashable {
  /// The model's identity.
  public let persistentIdentifier: PersistentIdentifier
  var values: [String: SnapshotValue]

  init(persistentIdentifier: PersistentIdentifier, values: [String: SnapshotValue] = [:]) {
    self.persistentIdentifier = persistentIdentifier
    self.values = values
  }

  /// Copies the values behind a model.
  ///
  /// - Parameters:
  ///   - backingData: the model's backing data. Without an identity the snapshot gets a temporary one.
  ///   - relatedBackingDatas: takes the backing data of the models that the relationships refer to.
  public init(
    from backingData: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    self = Self.make(from: backingData, &relatedBackingDatas)
  }

  /// Decodes a snapshot that `encode(to:)` wrote.
  /// - Throws: `DecodingError` with the property whose value is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    persistentIdentifier = try container.decode(PersistentIdentifier.self, forKey: .persistentIdentifier)
    values = [:]
    for key in container.allKeys {
      if case .modeledProperty(let name) = key {
        values[name] = try container.decode(SnapshotValue.self, forKey: key)
      }
    }
  }

  /// Encodes the values as they are in the store, each with its storage class.
  /// - Throws: `EncodingError` with the property whose value its type refused to encode.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    for (name, value) in values { try container.encode(value, forKey: .modeledProperty(name)) }
  }

  /// Copies the snapshot under another identity.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: the identity of the copy.
  ///   - remappedIdentifiers: what the identifiers in relationships become; those that are missing stay.
  /// - Returns: a snapshot with the same attributes.
  public func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
  ) -> DefaultSnapshot {
    DefaultSnapshot(
      persistentIdentifier: persistentIdentifier, values: values.mapValues { $0.remapped(remappedIdentifiers ?? [:]) })
  }
}
