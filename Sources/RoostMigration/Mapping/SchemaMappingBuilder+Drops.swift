import RoostCore
import RoostSQL

// What a program does not declare any more goes, as with SwiftData, unless it looks renamed. Who lets it go is told.
extension SchemaMappingBuilder {
  mutating func findDrops() {
    let known = Dictionary(
      mapping.sources.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in old.definition.entities {
      if known[entity.name] == nil { drop(entity) }
      // Rows of those below a class that is gone stay, and had its properties.
      let names = old.family(entity).compactMap { known[$0.name] }
      if names.isEmpty { continue }
      for property in entity.properties {
        let stored = StoredProperty(entity: entity, property: property)
        if !kept.contains(stored.name) && !isOtherSide(stored) {
          drop(stored, of: known[entity.name].map { [$0] } ?? names)
        }
        if let heirs = heirs[stored.name] { drop(stored, besides: heirs) }
      }
    }
  }

  /// What has moved down, or stays in a class that others have left, is lost by rows of other classes.
  private mutating func drop(_ stored: StoredProperty, besides heirs: [EntityInfo]) {
    guard let (isFilled, value) = filled(stored) else { return }
    let isHeir = SQLExpression.inList(column(entityNameColumn), formerTypes(of: heirs))
    let stays = heirs.contains { mapping.sources[$0.name]?.name == stored.entity.name }
    mapping.checks.append(
      MigrationCheck(
        model: stored.entity.name, property: stored.property.name,
        message: stays
          ? "Rows of classes that have left \(stored.entity.name) have values."
          : "It moved down to \(heirs.map(\.name).sorted().joined(separator: " and ")), and rows of other classes have"
            + " values.",
        rows: rows(of: old.table(of: stored.entity), showing: value, where: .all([isFilled, !isHeir])),
        remedy: (stays ? "Declare it in them, too.\n" : "Leave it in the class that it was in.\n")
          + consent(stored.name, nil),
        isCertain: false, drop: MigrationCheck.Drop(name: stored.name, mayBeRenamed: true)))
  }

  /// Whether a relationship without a property of its own in the new schema is that of its inverse, which stays.
  private func isOtherSide(_ stored: StoredProperty) -> Bool {
    old.inverse(of: stored).map { kept.contains($0.name) } ?? false
  }

  private mutating func drop(_ entity: EntityDefinition) {
    let candidate = candidate(for: entity)
    var message = "The program has no such model any more."
    var remedy = consent(entity.name, ".drop(V1.\(entity.name).self)")
    if let candidate {
      message += " \(candidate), which is new, has much of what it had."
      remedy = "If it was renamed: @Model(originalName: \"\(entity.name)\") final class \(candidate)\n" + remedy
    }
    mapping.checks.append(
      MigrationCheck(
        model: entity.name, property: nil, message: message,
        rows: rows(of: old.table(of: entity), where: isOf(entity)), remedy: remedy, isCertain: false,
        drop: MigrationCheck.Drop(name: entity.name, mayBeRenamed: candidate != nil)))
  }

  /// A new model that has most of what one that is gone had.
  private func candidate(for entity: EntityDefinition) -> String? {
    new.entities.first { candidate in
      guard mapping.sources[candidate.name] == nil, let definition = definitions[candidate.name] else { return false }
      let same = entity.properties.filter { property in
        definition.properties.contains { $0.name == property.name && $0.kind == property.kind }
      }
      return same.count * 2 > entity.properties.count
    }?.name
  }

  /// `names`: the models whose rows had it, by their new names.
  private mutating func drop(_ stored: StoredProperty, of names: [String]) {
    guard let (isFilled, value) = filled(stored) else { return }
    let candidate = names.compactMap { self.candidate(for: stored, in: $0) }.first
    var message = "The program has no such property any more."
    var remedy = consent(stored.name, ".drop(\(V1.path(stored)))")
    if let candidate {
      message += " \(candidate.name), which is new, is \(candidate.label) as well."
      let macro = stored.isRelationship ? "@Relationship" : "@Attribute"
      remedy =
        "If it was renamed: \(macro)(originalName: \"\(stored.property.name)\") var \(candidate.name)\n" + remedy
    }
    let namesake = candidate == nil ? names.compactMap { self.namesake(of: stored, in: $0) }.first : nil
    if let namesake { message += " \(namesake) has its name, and does not take its values." }
    mapping.checks.append(
      MigrationCheck(
        model: newName(of: stored.entity.name), property: stored.property.name, message: message,
        rows: rows(of: old.table(of: stored.entity), showing: value, where: isFilled), remedy: remedy,
        isCertain: false,
        drop: MigrationCheck.Drop(name: stored.name, mayBeRenamed: candidate != nil || namesake != nil)))
  }

  /// A property of that name in a class above, or below, that the values cannot move to.
  private func namesake(of stored: StoredProperty, in name: String) -> String? {
    guard let entity = new.entity(named: name) else { return nil }
    let relatives = sequence(first: entity) { $0.superentity }.dropFirst() + entity.selfAndDescendants.dropFirst()
    let owner = relatives.first { relative in
      relative.ownProperties.contains { [$0.name, $0.originalName].contains(stored.property.name) }
    }
    return owner.map { "\($0.name).\(stored.property.name)" }
  }

  /// A new property of the same type as one that is gone.
  private func candidate(for stored: StoredProperty, in name: String) -> EntityDefinition.Property? {
    guard let entity = new.entity(named: name), let definition = definitions[name] else { return nil }
    return definition.properties.first { property in
      guard let info = entity.property(named: property.name), self.stored(info) == nil else { return false }
      return property.kind == stored.property.kind && property.type == stored.property.type
        && property.destination == stored.property.destination.map(newName)
    }
  }

  func consent(_ name: String, _ step: String?) -> String {
    "If it may go: configuration.storeOptions.migration.mayDrop = [\"\(name)\"]"
      + (step.map { ", or in a stage: \($0)" } ?? "")
  }

  private func newName(of stored: String) -> String {
    mapping.sources.first { $0.value.name == stored }?.key ?? stored
  }

  /// The condition that a row which stays has something in a property of its class, and what to show of it.
  private func filled(_ stored: StoredProperty) -> (SQLExpression, SQLExpression?)? {
    let isOfClass: [SQLExpression] =
      old.isInHierarchy(old.root(of: stored.entity))
      ? [.inList(column(entityNameColumn), stayingTypes(of: stored).sorted().map { .text($0) })] : []
    if stored.isRelationship, !stored.isToOne {
      guard let links = LinkSource(stored, in: old) else { return nil }
      let owners = SQLSelect([SQLResultColumn(links.column(links.owner))], from: .table(links.table, alias: "link"))
      return (.all(isOfClass + [.inSelect(column(primaryKeyColumn), owners)]), nil)
    }
    let value = column(stored.column)
    return (.all(isOfClass + [.isNotNull(value)]), value)
  }

  /// The condition that a row is of an entity, and of none below it; nil where all rows of the table are.
  private func isOf(_ entity: EntityDefinition) -> SQLExpression? {
    guard old.isInHierarchy(old.root(of: entity)) else { return nil }
    return .binary(.equal, column(entityNameColumn), .text(entity.name))
  }
}
