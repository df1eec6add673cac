import RoostCore
import RoostSQL

/// Reads what the journal has of a property.
struct JournalReader: Hashable, Sendable {
  let property: PropertyInfo
  /// What the property is of: other classes' are there for as long.
  let schema: SchemaInfo

  func versions<Model: PersistentModel, Value>(
    of keyPath: KeyPath<Model, Value>, ancestor: SQLValue, local: SQLValue, remote: SQLValue
  ) -> SyncVersions<Value>? {
    guard schema.entity(for: Model.self)?.property(for: keyPath)?.details === property.details,
      case .attribute(let codec) = property.kind
    else { return nil }
    func value<Codec: _AttributeCodec>(_ column: SQLValue, _ codec: Codec.Type) -> Value? {
      guard let value = codec.decode(column) else { return nil }
      return value as? Value
    }
    guard let local = value(local, codec), let remote = value(remote, codec) else { return nil }
    return SyncVersions(ancestor: value(ancestor, codec), remote: remote, local: local)
  }

  static func == (left: Self, right: Self) -> Bool { left.property.details === right.property.details }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(property.details)) }
}
