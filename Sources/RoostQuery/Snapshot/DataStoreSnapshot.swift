public import RoostCore

/// What a snapshot holds of an attribute.
///
/// Source: SwiftData's `DataStoreSnapshotValue`.
public typealias DataStoreSnapshotValue = Codable & Sendable

/// A copy of a model's values that belongs to no context and no actor: what a context and a custom store exchange.
///
/// Programs take ``ModelSnapshot`` instead, which knows the model's type.
/// Source: SwiftData's `DataStoreSnapshot`.
public protocol DataStoreSnapshot: Decodable, Encodable, Sendable {
  /// The model's identity.
  var persistentIdentifier: PersistentIdentifier { get }

  /// Copies the values behind a model.
  ///
  /// - Parameters:
  ///   - from: the model's backing data.
  ///   - relatedBackingDatas: takes the backing data of the models that the relationships refer to.
  init(from: any BackingData, relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

  /// Copies the snapshot under another identity.
  ///
  /// - Parameters:
  ///   - persistentIdentifier: the identity of the copy.
  ///   - remappedIdentifiers: what the identifiers in relationships become; those that are missing stay.
  /// - Returns: a snapshot with the same attributes.
  func copy(
    persistentIdentifier: PersistentIdentifier, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
  ) -> Self
}

/// The keys by which a snapshot is encoded.
///
/// Source: SwiftData's `DataStoreSnapshotCodingKey`.
public enum DataStoreSnapshotCodingKey: CodingKey {
  /// The model's identity. Encoded as `persistentModelID`, a name that no property may have.
  case persistentIdentifier
  /// The property of that name.
  case modeledProperty(String)

  /// The name that is encoded.
  public var stringValue: String {
    switch self {
    case .persistentIdentifier: "persistentModelID"
    case .modeledProperty(let name): name
    }
  }

  /// Makes the key with a name; every name but the identity's is a property's.
  public init?(stringValue: String) {
    self = stringValue == Self.persistentIdentifier.stringValue ? .persistentIdentifier : .modeledProperty(stringValue)
  }

  /// Always nil.
  public var intValue: Int? { nil }

  /// Always nil: properties have names.
  public init?(intValue: Int) { nil }
}
