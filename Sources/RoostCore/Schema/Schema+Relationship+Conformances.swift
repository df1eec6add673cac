extension Schema.Relationship {
  /// Writes the relationship without its key paths, which no file can keep.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(originalName, forKey: .originalName)
    try container.encode(options, forKey: .options)
    try container.encode(destination, forKey: .destination)
    try container.encode(deleteRule, forKey: .deleteRule)
    try container.encodeIfPresent(inverseName, forKey: .inverseName)
    try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
    try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
    try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
    try container.encode(isToOneRelationship, forKey: .isToOne)
    try container.encode(isOptional, forKey: .isOptional)
    try container.encode(isUnidirectional, forKey: .isUnidirectional)
    try container.encode(namedType.name, forKey: .valueType)
  }

  /// Whether both refer to the same entity in the same way. Key paths, which a file does not keep, do not count.
  public static func == (lhs: Schema.Relationship, rhs: Schema.Relationship) -> Bool {
    lhs.name == rhs.name && lhs.originalName == rhs.originalName && lhs.options == rhs.options
      && lhs.destination == rhs.destination && lhs.deleteRule == rhs.deleteRule
      && lhs.inverseName == rhs.inverseName && lhs.minimumModelCount == rhs.minimumModelCount
      && lhs.maximumModelCount == rhs.maximumModelCount && lhs.hashModifier == rhs.hashModifier
      && lhs.isToOneRelationship == rhs.isToOneRelationship && lhs.isOptional == rhs.isOptional
      && lhs.isUnidirectional == rhs.isUnidirectional
  }

  /// Hashes the name alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Whether no two models may refer to the same one.
  public var isUnique: Bool { options.contains(.unique) }
  /// False.
  public var isAttribute: Bool { false }
  /// True.
  public var isRelationship: Bool { true }
  /// False.
  public var isTransient: Bool { false }

  /// The name, the type, the delete rule and the inverse.
  public var debugDescription: String {
    let inverse = inverseName.map { ", inverse: \(destination).\($0)" } ?? ""
    return "\(name): \(namedType.name.name) (\(deleteRule)\(inverse))"
  }
}

extension Schema.Relationship {
  /// What happens to the related models when the owner of a relationship is deleted.
  public enum DeleteRule: String, Codable, Sendable {
    /// Nothing: they may refer to a model that is gone.
    case noAction
    /// They refer to nothing.
    case nullify
    /// They are deleted too.
    case cascade
    /// The owner cannot be deleted as long as there are any.
    case deny
  }

  /// How a relationship is kept.
  public struct Option: Codable, Hashable, CustomDebugStringConvertible, Sendable {
    private enum Code: String, Codable {
      case unique, localOnly
    }

    private let code: Code

    /// No two models may refer to the same one.
    public static var unique: Option { Option(code: .unique) }

    /// The relationship stays on this device: it is no part of what is synced.
    ///
    /// Its delete rule is that of this device's own deletions. A deletion that comes from another
    /// device only removes the reference.
    public static var localOnly: Option { Option(code: .localOnly) }

    /// The option as written in code.
    public var debugDescription: String { ".\(code.rawValue)" }
  }
}
