package import RoostCore
import SyncMerge

extension JoinTable {
  /// The same as the other side has it.
  fileprivate var flipped: JoinTable {
    JoinTable(
      name: name, owner: destination, ownerColumn: destinationColumn, destination: owner,
      destinationColumn: ownerColumn)
  }

  /// The same on the side whose rows keep those of the other one from being deleted: the server asks a relationship
  /// what it does to the row that it refers to.
  func asItKeepsRows(isSynced: (EntityInfo) -> Bool) -> JoinTable {
    let properties = owner.selfAndDescendants.flatMap(\.ownProperties)
    guard isSynced(owner.root), isSynced(destination.root),
      let property = properties.first(where: { $0.relationship.map(isOf) ?? false }), !property.isLocalOnly,
      let relationship = property.relationship, relationship.deleteRule == .deny,
      let other = relationship.inverse.map({ destination.properties[$0] }), !other.isLocalOnly,
      let rule = other.relationship?.deleteRule, rule == .nullify || rule == .noAction
    else { return self }
    return flipped
  }

  /// Whether a relationship of the owner's is stored in it.
  private func isOf(_ relationship: RelationshipInfo) -> Bool {
    if case .joinTable(name, ownerColumn, _) = relationship.storage { true } else { false }
  }
}

/// The rows of a table, as they are synced.
package struct SyncedEntity: Sendable {
  /// The class at the top of the hierarchy that the table is of.
  package let root: EntityInfo
  package private(set) var fields: [SyncedField]
  /// Many-to-many relationships that are fields of other classes, as they would be fields of this
  /// one: the server may know them so.
  private let otherSides: [SyncedField]
  /// The rows of classes that inherit are in the table too.
  package let classes: [EntityInfo]
  /// Whether its rows may refer to each other.
  let refersToItself: Bool

  /// - Parameters:
  ///   - root: the class at the top.
  ///   - joins: the join tables that its classes name, whose links are fields of theirs.
  ///   - others: the join tables that lead to it.
  ///   - isSynced: which classes are, by the roots of their hierarchies.
  /// - Throws: ``SwiftDataError/invalidSchema`` for what cannot be synced.
  package init(
    _ root: EntityInfo, _ joins: [JoinTable], others: [JoinTable] = [], isSynced: (EntityInfo) -> Bool
  ) throws {
    self.root = root
    classes = root.selfAndDescendants
    fields = try classes.flatMap { entity in
      try entity.ownProperties.flatMap { property in
        try property.isLocalOnly ? [] : SyncedField.fields(of: property, in: entity, joins, isSynced: isSynced)
      }
    }
    let flipped = others.map(\.flipped)
    otherSides = try classes.flatMap { entity in
      try entity.ownProperties.flatMap { property in
        guard case .toMany(let relationship) = property.kind, !property.isLocalOnly,
          let inverse = relationship.inverse, !relationship.destination.properties[inverse].isLocalOnly
        else { return [SyncedField]() }
        return try SyncedField.fields(of: property, in: entity, flipped, isSynced: isSynced)
      }
    }
    refersToItself = fields.contains { field in
      switch field.kind {
      case .reference(_, let destination), .links(_, let destination): destination === root
      default: false
      }
    }
    for entity in classes {
      try Self.checkUniqueness(of: entity)
      try Self.checkLocal(entity, isSynced)
    }
  }

  /// The same with the fields that the server has numbers for, many-to-many relationships on the side on which it knows
  /// them; nil where it has none for some.
  func numbered(by numbers: SyncNumbers) -> SyncedEntity? {
    guard let own = numbers.entities[root.name]?.fields else { return nil }
    var numbered = self
    numbered.fields = (fields + otherSides).filter { own[$0.definition.name.name] != nil }
    let hasAll = fields.allSatisfy { field in
      let other = field.definition.otherSide
      return own[field.definition.name.name] != nil
        || other.flatMap { numbers.entities[$0.entity]?.fields[$0.name.name] } != nil
    }
    return hasAll ? numbered : nil
  }

  private static func checkUniqueness(of entity: EntityInfo) throws {
    for keys in entity.uniqueness {
      let properties = keys.map { entity.properties[$0.property] }
      guard keys.contains(where: { !$0.keys.isEmpty }) else { continue }
      throw SwiftDataError(
        .invalidSchema, "A part of a composite attribute is unique, which a server cannot see to.", model: entity.name,
        property: properties.first?.name, remedy: "Make it an attribute of its own, or sync other models only.")
    }
    for properties in entity.uniqueness.map({ $0.map { entity.properties[$0.property] } }) {
      guard properties.contains(where: \.isLocalOnly), !properties.allSatisfy(\.isLocalOnly) else { continue }
      throw SwiftDataError(
        .invalidSchema, "A unique constraint has attributes that are synced, and others that are `.localOnly`.",
        model: entity.name, property: properties.first(where: \.isLocalOnly)?.name,
        remedy: "Make all of them one or the other.")
    }
    for properties in entity.uniqueness.map({ $0.map { entity.properties[$0.property] } }) {
      // In one table, so that the server would hold rows of other classes to it, and make two of them one.
      guard entity.superentity != nil, properties.allSatisfy({ $0.owner !== entity }),
        !properties.allSatisfy(\.isLocalOnly)
      else { continue }
      throw SwiftDataError(
        .invalidSchema, "What it inherits is unique in this class alone, which a server cannot see to.",
        model: entity.name, property: properties.first?.name,
        remedy: "Make it unique in the class that declares it, or sync other models only.")
    }
  }

  /// Sees that rows of other devices can be there beside each other with what is of this device alone.
  private static func checkLocal(_ entity: EntityInfo, _ isSynced: (EntityInfo) -> Bool) throws {
    for property in entity.ownProperties where property.isLocalOnly && property.column != nil {
      guard let relationship = property.relationship, let inverse = relationship.inverse,
        isSynced(relationship.destination.root),
        relationship.destination.properties[inverse].relationship?.deleteRule == .cascade
      else { continue }
      throw SwiftDataError(
        .invalidSchema,
        "It is `.localOnly`, and its rows go with those of \(relationship.destination.name), which other devices delete.",
        model: entity.name, property: property.name, remedy: "Sync it, or give the other side another delete rule.")
    }
    for property in entity.ownProperties where property.isLocalOnly {
      guard let relationship = property.relationship, case .inverseColumn = relationship.storage,
        let inverse = relationship.inverse, isSynced(relationship.destination.root)
      else { continue }
      let other = relationship.destination.properties[inverse]
      if other.isLocalOnly { continue }
      let name = "\(other.owner.name).\(other.name)"
      throw SwiftDataError(
        .invalidSchema, "It is `.localOnly`, and \(name) is not, which the relationship is synced by.",
        model: entity.name, property: property.name, remedy: "Make \(name) `.localOnly` instead, or as well.")
    }
    for property in entity.ownProperties where property.isLocalOnly && property.relationship != nil {
      guard property.column != nil, !property.isOptional else { continue }
      throw SwiftDataError(
        .invalidSchema, "It is `.localOnly`, and rows of other devices would have nothing that they must refer to.",
        model: entity.name, property: property.name, remedy: "Make it optional, or sync it.")
    }
    for properties in entity.uniqueness.map({ $0.map { entity.properties[$0.property] } })
    where properties.allSatisfy({ $0.isLocalOnly && hasOneValue($0) }) {
      throw SwiftDataError(
        .invalidSchema, "It is `.localOnly` and unique, and all rows of other devices would have the same value.",
        model: entity.name, property: properties.first?.name,
        remedy: "Make it optional without a default, or give it one that differs, such as UUID().")
    }
  }

  /// Whether all new rows of which nothing is known have the same value in an attribute.
  private static func hasOneValue(_ property: PropertyInfo) -> Bool {
    guard case .attribute(let codec) = property.kind else { return false }
    guard let value = StoredDefault(property, codec) else { return !property.isOptional }
    if case .same = value { return true }
    return false
  }

  /// What the server is told.
  var definition: SyncEntity {
    func name(_ entity: EntityInfo) -> SyncName { SyncName(entity.name, originalName: entity.originalName) }
    let uniqueness = classes.flatMap { entity in
      entity.uniqueness.compactMap { keys in
        let names = keys.map { key in field(of: entity.properties[key.property])?.definition.name.name }
        return names.contains(nil) ? nil : names.compactMap(\.self)
      }
    }
    // Of rows that must have each its own partner, two devices may make one for the same: they end as one,
    // or a save could replace neither.
    let partners = fields.map(\.definition).filter { $0.reference?.isRequired ?? false && $0.reference?.inverse != nil }
      .map(\.name.name).filter { !uniqueness.contains([$0]) }
    let unique = Set(uniqueness.joined())
    return SyncEntity(
      name(root), classes: root.isMixed ? classes.map(name) : [],
      fields: fields.map { field in
        var definition = field.definition
        // Rows that an earlier program made have the default, and no two may have the same.
        if unique.contains(definition.name.name), field.property.owner === root, !field.differsByRow {
          let value = field.unwritten
          if value != .null, value.encoded.count <= SyncFieldDefinition.largestUnwritten {
            definition.unwritten = value
          }
        }
        return definition
      }, uniqueness: uniqueness + partners.map { [$0] }, partners: Set(partners))
  }

  /// The field of an attribute or a relationship; nil for one that is not synced.
  func field(of property: PropertyInfo) -> SyncedField? {
    fields.first { $0.property.details === property.details && !$0.isPosition }
  }
}
