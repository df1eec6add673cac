internal import Foundation

// The form is SwiftData's, which libraries read: there it is a row's URI in Core Data and the parts of it.
extension PersistentIdentifier: Codable {
  private enum CodingKeys: String, CodingKey {
    case implementation
  }

  private enum ImplementationKeys: String, CodingKey {
    case primaryKey, uriRepresentation, isTemporary, storeIdentifier, entityName
    /// Roost's own: a custom store's primary key, exactly as it was given.
    case customKey
  }

  /// What Roost encoded at first.
  private enum FormerKeys: String, CodingKey {
    case entityName, storeIdentifier, key, customKey
  }

  /// Decodes an identifier that this or another process encoded.
  /// - Throws: `DecodingError` when the data is no identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard container.contains(.implementation) else {
      try self.init(former: decoder)
      return
    }
    let parts = try container.nestedContainer(keyedBy: ImplementationKeys.self, forKey: .implementation)
    let isTemporary = try parts.decode(Bool.self, forKey: .isTemporary)
    let customKey = try parts.decodeIfPresent(String.self, forKey: .customKey)
    var key: Int64 = 0
    if customKey == nil {
      let text = try parts.decode(String.self, forKey: .primaryKey)
      guard let number = Self.key(text, isTemporary: isTemporary) else {
        throw DecodingError.dataCorruptedError(
          forKey: .primaryKey, in: parts,
          debugDescription: isTemporary
            ? "A temporary identifier's primary key is a number behind a 't', such as t12."
            : "A primary key is a number behind a 'p', such as p12.")
      }
      key = number
    }
    self.init(
      scope: IdentifierScope(
        storeIdentifier: isTemporary ? nil : try parts.decode(String.self, forKey: .storeIdentifier),
        entityName: try parts.decode(String.self, forKey: .entityName)),
      key: key, customKey: customKey)
  }

  private init(former decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FormerKeys.self)
    guard container.contains(.key) else {
      throw DecodingError.keyNotFound(
        CodingKeys.implementation,
        .init(codingPath: decoder.codingPath, debugDescription: "A PersistentIdentifier has an 'implementation'."))
    }
    self.init(
      scope: IdentifierScope(
        storeIdentifier: try container.decodeIfPresent(String.self, forKey: .storeIdentifier),
        entityName: try container.decode(String.self, forKey: .entityName)),
      key: try container.decode(Int64.self, forKey: .key),
      customKey: try container.decodeIfPresent(String.self, forKey: .customKey))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var parts = container.nestedContainer(keyedBy: ImplementationKeys.self, forKey: .implementation)
    if let customKey {
      try parts.encode(CustomKey(json: customKey), forKey: .primaryKey)
      try parts.encode(customKey, forKey: .customKey)
    } else {
      try parts.encode(keyText, forKey: .primaryKey)
    }
    try parts.encode(uriRepresentation, forKey: .uriRepresentation)
    try parts.encode(isTemporary, forKey: .isTemporary)
    try parts.encodeIfPresent(storeIdentifier, forKey: .storeIdentifier)
    try parts.encode(entityName, forKey: .entityName)
  }

  /// The key with a letter before it: `p12` of a row, `t12` of what has none yet, whose keys are negative.
  private var keyText: String {
    if !isTemporary { return "p\(key)" }
    return key < 0 ? "t\(key.magnitude)" : "t-\(key)"
  }

  private static func key(_ text: String, isTemporary: Bool) -> Int64? {
    guard text.first == (isTemporary ? "t" : "p") else { return nil }
    let number = String(text.dropFirst())
    if !isTemporary { return Int64(number) }
    return number.hasPrefix("-") ? Int64(number.dropFirst()) : Int64("-" + number)
  }

  private var uriRepresentation: String {
    let parts = [storeIdentifier ?? "", entityName, customKey ?? keyText].map { text in
      text.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? text
    }
    return "x-coredata://\(parts.joined(separator: "/"))"
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
    let encoder = JSONEncoder()
    // Equal keys have equal texts.
    encoder.outputFormatting = [.sortedKeys]
    let text = String(decoding: try encoder.encode([primaryKey]), as: UTF8.self)
    return PersistentIdentifier(scope: scope, key: 0, customKey: text)
  }
}

/// A custom store's primary key as others read it: text and numbers as such, all else as JSON text.
private enum CustomKey: Encodable {
  case text(String)
  case integer(Int64)
  case number(Double)

  /// `json`: an array of the key alone.
  init(json: String) {
    let data = Data(json.utf8)
    let decoder = JSONDecoder()
    if let text = try? decoder.decode([String].self, from: data).first {
      self = .text(text)
    } else if let integer = try? decoder.decode([Int64].self, from: data).first {
      self = .integer(integer)
    } else if let number = try? decoder.decode([Double].self, from: data).first {
      self = .number(number)
    } else {
      self = .text(json)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    }
  }
}
