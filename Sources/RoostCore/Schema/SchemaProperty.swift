/// What an entity has: an attribute, a relationship, a uniqueness constraint or an index.
///
/// Source: SwiftData's `SchemaProperty`.
public protocol SchemaProperty: Decodable, Encodable, Hashable {
  /// The property's name.
  var name: String { get set }
  /// The name that the property had in an earlier version, or the same as ``name``.
  var originalName: String { get set }
  /// The type of the property's values.
  var valueType: any Any.Type { get set }
  /// Whether this is an attribute.
  var isAttribute: Bool { get }
  /// Whether this is a relationship.
  var isRelationship: Bool { get }
  /// Whether the value is not written to the store.
  var isTransient: Bool { get }
  /// Whether the value may be nil.
  var isOptional: Bool { get }
  /// Whether no two models may have the same value.
  var isUnique: Bool { get }
}

extension SchemaProperty {
  /// False unless the property says otherwise.
  public var isAttribute: Bool { false }
  /// False unless the property says otherwise.
  public var isRelationship: Bool { false }
  /// False unless the property says otherwise.
  public var isTransient: Bool { false }
  /// Whether ``valueType`` is an optional type.
  public var isOptional: Bool { isOptionalType(valueType) }
}

package func isOptionalType(_ type: any Any.Type) -> Bool { type is any OptionalType.Type }

/// Tells an optional type by a cast.
private protocol OptionalType {}

extension Optional: OptionalType {}
