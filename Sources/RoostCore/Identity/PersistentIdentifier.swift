/// The identity of a model across contexts, actors and launches.
///
/// Send this between actors instead of the model and look it up on the other side with
/// ``ModelContext/model(for:)`` or ``ModelActor/subscript(_:as:)``.
/// Source: SwiftData's `PersistentIdentifier`.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Sendable {
  /// An opaque value that is equal exactly when the identifiers are.
  public struct ID: Hashable, Sendable {
    let entityName: String
    let storeIdentifier: String?
    let key: Int64
    let customKey: String?
  }

  let scope: IdentifierScope
  /// The row's primary key; negative while temporary.
  package let key: Int64
  /// A custom store's own primary key, as JSON text.
  let customKey: String?

  package init(scope: IdentifierScope, key: Int64, customKey: String? = nil) {
    self.scope = scope
    self.key = key
    self.customKey = customKey
  }

  /// What a foreign key column holds for the model; negative, and so equal to no stored row, until it is saved.
  package var rowKey: Int64? { customKey == nil ? key : nil }

  /// What tells the model apart: its entity, store and key.
  public var id: ID {
    ID(entityName: entityName, storeIdentifier: storeIdentifier, key: key, customKey: customKey)
  }

  /// The name of the model's entity, which is its type's name.
  public var entityName: String { scope.entityName }

  /// The store the row is in; nil until the model is saved.
  public var storeIdentifier: String? { scope.storeIdentifier }

  /// True from the model's creation until its first successful save. Don't keep temporary identifiers.
  public var isTemporary: Bool { scope.storeIdentifier == nil }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.key == rhs.key && lhs.customKey == rhs.customKey && lhs.scope == rhs.scope
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(customKey)
  }

  /// Orders by store, entity and primary key, so that equal sets print alike.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.storeIdentifier ?? "", lhs.entityName, lhs.key, lhs.customKey ?? "")
      < (rhs.storeIdentifier ?? "", rhs.entityName, rhs.key, rhs.customKey ?? "")
  }
}

/// What all identifiers of one entity in one store have in common; shared, so that an identifier costs no strings.
package final class IdentifierScope: Sendable, Equatable {
  let storeIdentifier: String?
  let entityName: String
  /// The entity's place in the schema of the store that made the scope.
  let ordinal: Int?

  package init(storeIdentifier: String?, entityName: String, ordinal: Int? = nil) {
    self.storeIdentifier = storeIdentifier
    self.entityName = entityName
    self.ordinal = ordinal
  }

  package static func == (lhs: IdentifierScope, rhs: IdentifierScope) -> Bool {
    lhs === rhs || (lhs.entityName == rhs.entityName && lhs.storeIdentifier == rhs.storeIdentifier)
  }
}
