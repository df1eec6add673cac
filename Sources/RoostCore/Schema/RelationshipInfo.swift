/// What a relationship refers to, and what in the file stands for it.
package final class RelationshipInfo: @unchecked Sendable {
  // SAFETY: as for EntityInfo.
  package enum Storage: Equatable, Sendable {
    /// A foreign key column in the owner's own table.
    case column(String)
    /// The foreign key column `column` in the destination's table that refers back to the owner.
    case inverseColumn(String)
    /// A join table: `own` refers to the owner, `other` to the destination.
    case joinTable(String, own: String, other: String)
  }

  /// The column that holds a member's position in the list: NULL where it has not been moved.
  ///
  /// A list is in the order of `ifnull(position, member's key)`. So rows that are never rearranged cost a byte each,
  /// and rows that another program inserts are in their position too.
  package var positionColumn: String? {
    switch storage {
    case .column: nil
    case .inverseColumn(let column): positionColumnName(of: column)
    case .joinTable(_, _, let other): positionColumnName(of: other)
    }
  }

  package unowned let destination: EntityInfo
  package let isOptional: Bool
  package let deleteRule: Schema.Relationship.DeleteRule
  /// Whether the property was declared to have no inverse.
  package let isUnidirectional: Bool
  package let isUnique: Bool
  package let isLocalOnly: Bool
  /// The least number of related models, where there is a bound. An optional property may be nil instead.
  package let minimumCount: Int?
  /// The greatest number of related models, where there is a bound.
  package let maximumCount: Int?
  /// The property of the destination that refers back.
  @exclusivity(unchecked) package var inverse: Int?
  @exclusivity(unchecked) package var storage: Storage
  /// Whether the property that refers back refers to one model.
  @exclusivity(unchecked) package var inverseIsToOne = false

  /// The property that refers back, when the declaration names it.
  let declaredInverse: AnyKeyPath?

  init(destination: EntityInfo, isOptional: Bool, property: Schema.PropertyMetadata, storage: Storage) {
    let metadata = property.metadata as? Schema.Relationship
    let attribute = property.metadata as? Schema.Attribute
    self.destination = destination
    self.isOptional = isOptional
    self.storage = storage
    declaredInverse = metadata?.inverseKeyPath
    deleteRule = metadata?.deleteRule ?? .nullify
    isUnidirectional = metadata?.isUnidirectional ?? false
    isUnique = metadata?.isUnique ?? attribute?.isUnique ?? false
    isLocalOnly = metadata?.options.contains(.localOnly) ?? attribute?.options.contains(.localOnly) ?? false
    minimumCount = metadata?.minimumModelCount.flatMap { $0 > 0 ? $0 : nil }
    maximumCount = metadata?.maximumModelCount.flatMap { $0 > 0 ? $0 : nil }
  }

  /// A relationship of a class that the program does not have.
  package init(_ property: EntityDefinition.Property, destination: EntityInfo, storage: Storage) {
    self.destination = destination
    isOptional = property.isOptional
    deleteRule = property.deleteRule.flatMap(Schema.Relationship.DeleteRule.init) ?? .nullify
    isUnidirectional = property.inverse == nil
    (isUnique, isLocalOnly) = (false, false)
    (minimumCount, maximumCount, declaredInverse) = (nil, nil, nil)
    self.storage = storage
  }
}

/// A join table, which stands for a to-many relationship and its to-many inverse, if any.
package struct JoinTable: Sendable {
  package let name: String
  /// The entity whose to-many relationship names the table, and the column that refers to it.
  package let owner: EntityInfo
  package let ownerColumn: String
  /// The entity that it refers to, and the column that refers to it.
  package let destination: EntityInfo
  package let destinationColumn: String

  package init(
    name: String, owner: EntityInfo, ownerColumn: String, destination: EntityInfo, destinationColumn: String
  ) {
    self.name = name
    self.owner = owner
    self.ownerColumn = ownerColumn
    self.destination = destination
    self.destinationColumn = destinationColumn
  }
}

/// The name of the column that holds the position in a list of the row that `column` makes a member.
package func positionColumnName(of column: String) -> String { "_\(column)_position" }
