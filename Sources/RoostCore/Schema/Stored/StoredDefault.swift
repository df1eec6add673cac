package import RoostSQL

/// The default value of a property, for rows that have none.
package enum StoredDefault {
  /// One for all.
  case same(SQLValue)
  /// One for each row, such as a new UUID; by the names of the entity and the property.
  case each(String, String)

  package init?(_ property: PropertyInfo, _ codec: any _AttributeCodec.Type) {
    guard let first = Self.value(property, codec), first != .null else { return nil }
    // A default is evaluated anew each time it is needed. What is the same twice is taken to be a constant.
    self = Self.value(property, codec) == first ? .same(first) : .each(property.owner.name, property.name)
  }

  /// nil when there is no default, or it is none that could be stored.
  package static func value(_ property: PropertyInfo, _ codec: any _AttributeCodec.Type) -> SQLValue? {
    func open<Codec: _AttributeCodec>(_ codec: Codec.Type) -> SQLValue? {
      guard let value = property.defaultValue as? Codec.Value else { return nil }
      return try? codec.encode(value)
    }
    return open(codec)
  }
}
