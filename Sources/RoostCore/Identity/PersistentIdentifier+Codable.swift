import Foundation

extension PersistentIdentifier: Codable {
  private enum CodingKeys: String, CodingKey {
    case entityName, storeIdentifier, key, customKey
  }

  /// Decodes an identifier that this or another process encoded.
  /// - Throws: `DecodingError` when the data is no identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      scope: IdentifierScope(
        storeIdentifier: try container.decodeIfPresent(String.self, forKey: .storeIdentifier),
        entityName: try container.decode(String.self, forKey: .entityName)),
      key: try container.decode(Int64.self, forKey: .key),
      customKey: try container.decodeIfPresent(String.self, forKey: .customKey))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entityName, forKey: .entityName)
    try container.encodeIfPresent(storeIdentifier, forKey: .storeIdentifier)
    try container.encode(key, forKey: .key)
    try container.encodeIfPresent(customKey, forKey: .customKey)
  }

  /// Makes a permanent identifier for a row of a custom store.
  ///
  /// - Parameters:
  ///   - storeIdentifier: the store's `identifier`.
  ///   - entityName: the model's entity name.
  ///   - primaryKey: the row's key in that store; an `Int64` is kept as it is, all else as JSON.
  /// - Returns: an identifier that is not temporary.
  /// - Throws: `EncodingError` when the key cannot be encoded.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier
  where T: Comparable, T: CustomStringConvertible, T: Decodable, T: Encodable, T: Hashable {
    let scope = IdentifierScope(storeIdentifier: storeIdentifier, entityName: entityName)
    if let key = primaryKey as? Int64 { return PersistentIdentifier(scope: scope, key: key) }
    let text = String(decoding: try JSONEncoder().encode([primaryKey]), as: UTF8.self)
    return PersistentIdentifier(scope: scope, key: 0, customKey: text)
  }
}
