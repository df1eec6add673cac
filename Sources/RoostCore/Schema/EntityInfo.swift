public import RoostSQL

/// What fetching and saving know of one model type: its table, columns and relationships. Immutable.
///
/// Made once a schema from `schemaMetadata`; the public `Schema.Entity` describes the same for users.
package final class EntityInfo: @unchecked Sendable {
  // SAFETY: every property is set before the object leaves `SchemaInfo.init` and never changes afterwards.
  package let name: String
  package let type: any PersistentModel.Type
  /// In the order of the macro's indexes.
  package internal(set) var properties: [PropertyInfo] = []
  package internal(set) var uniqueness: [[Int]] = []
  package internal(set) var indices: [[Int]] = []
  var byKeyPath: [AnyKeyPath: Int] = [:]

  /// The table, named as the Swift type.
  package var table: String { name }

  init(name: String, type: any PersistentModel.Type) {
    self.name = name
    self.type = type
  }

  /// The property a key path of this very entity names, or nil when it names none (computed, transient, deeper).
  package func property(for keyPath: AnyKeyPath) -> PropertyInfo? {
    byKeyPath[keyPath].map { properties[$0] }
  }
}

/// The column that holds the primary key of every table.
package let primaryKeyColumn = "_pk"

/// One persisted property.
package struct PropertyInfo: @unchecked Sendable {
  // SAFETY: key paths and metatypes are immutable.
  package let index: Int
  package let name: String
  package let keyPath: AnyKeyPath
  package let kind: Kind

  package enum Kind {
    case attribute(any _AttributeCodec.Type)
    case toOne(RelationshipInfo)
    case toMany(RelationshipInfo)
  }

  /// The column in the entity's own table; nil for a to-many relationship.
  package var column: String? {
    if case .toMany = kind { nil } else { name }
  }

  package var relationship: RelationshipInfo? {
    switch kind {
    case .toOne(let info), .toMany(let info): info
    case .attribute: nil
    }
  }
}

/// Where a relationship leads, and what in the file stands for it.
package final class RelationshipInfo: @unchecked Sendable {
  // SAFETY: as for EntityInfo.
  package enum Storage: Equatable {
    /// A foreign key column in the owner's own table.
    case column(String)
    /// The foreign key column `column` in the destination's table that refers back to the owner.
    case inverseColumn(String)
    /// A table of pairs: `own` refers to the owner, `other` to the destination.
    case joinTable(String, own: String, other: String)
  }

  package unowned let destination: EntityInfo
  package let isOptional: Bool
  package let deleteRule: Schema.Relationship.DeleteRule
  /// The property of the destination that leads back.
  package internal(set) var inverse: Int?
  package internal(set) var storage: Storage

  init(destination: EntityInfo, isOptional: Bool, deleteRule: Schema.Relationship.DeleteRule, storage: Storage) {
    self.destination = destination
    self.isOptional = isOptional
    self.deleteRule = deleteRule
    self.storage = storage
  }
}
