import Foundation
import RoostSQL

/// What the file remembers of an entity, to be compared with the program's.
package struct EntityDefinition: Codable, Equatable, Sendable {
  package struct Property: Codable, Equatable, Sendable {
    package var name: String
    /// The column's type for an attribute, else "to-one" or "to-many".
    package var kind: String
    /// What an attribute's column means: a `Date` and a `Double` are both a REAL.
    package var type: String?
    package var isOptional: Bool
    package var destination: String?
    package var inverse: String?
    package var deleteRule: String?
    /// The join table of a many-to-many relationship.
    package var joinTable: String?
    /// The column, where another class of the table has one of the property's name.
    package var column: String?
    /// What a composite attribute's JSON has.
    package var fields: [CompositeDefinition]?
    package var originalName: String?
    package var hashModifier: String?
    /// What `@Attribute` was given. The file is the same with and without.
    package var options: [String]?
    /// Whether the program has a value for rows that lack one.
    package var hasDefault: Bool?
  }

  package var name: String
  /// The name in an earlier version, where it was another.
  package var originalName: String?
  /// The superclass's entity.
  package var superentity: String?
  /// Those that the class itself declares.
  package var properties: [Property]
  package var uniqueness: [[String]]
  package var indices: [[String]]
  /// Those come and go with the program's declarations.
  package var fullText: [FullTextDefinition]?

  package init(_ entity: EntityInfo) throws {
    if let described = entity.described {
      self = described
      return
    }
    name = entity.name
    originalName = entity.originalName
    superentity = entity.superentity?.name
    properties = entity.ownProperties.filter(\.isStored).map { property in
      switch property.kind {
      case .attribute(let codec):
        var definition = Property(
          name: property.name, kind: property.isExternal ? SQLType.any.rawValue : codec.columnType.rawValue,
          type: (property.isExternal ? Property.externalMarker : "") + ValueTypeName.name(of: codec),
          isOptional: codec.isOptional, column: Self.column(property))
        definition.fields = property.compositeType.flatMap { CompositeDefinition.fields(of: $0) }
        definition.addDetails(of: property)
        return definition
      case .toOne(let relationship): return Self.property(property, "to-one", relationship)
      case .toMany(let relationship): return Self.property(property, "to-many", relationship)
      }
    }
    uniqueness = entity.uniqueness.map { $0.map { $0.name(in: entity) } }
    indices = entity.indices.map { $0.map { $0.name(in: entity) } }
    fullText = entity.fullTextIndexes.isEmpty ? nil : entity.fullTextIndexes.map(\.definition)
  }

  private static func property(_ property: PropertyInfo, _ kind: String, _ relationship: RelationshipInfo) -> Property {
    var joinTable: String?
    if case .joinTable(let name, _, _) = relationship.storage { joinTable = name }
    var definition = Property(
      name: property.name, kind: kind, isOptional: relationship.isOptional,
      destination: relationship.destination.name,
      inverse: relationship.inverse.map { relationship.destination.properties[$0].name },
      deleteRule: relationship.deleteRule.rawValue, joinTable: joinTable, column: column(property))
    definition.addDetails(of: property)
    return definition
  }

  private static func column(_ property: PropertyInfo) -> String? {
    property.column == property.name ? nil : property.column
  }

  init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }

  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// A line a difference, naming the property.
  package func differences(from stored: EntityDefinition) -> [String] {
    var lines: [String] = []
    if superentity != stored.superentity {
      lines.append(
        "\(name): inherited from \(stored.superentity ?? "no model"), inherits from \(superentity ?? "no model")")
    }
    let old = Dictionary(stored.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let new = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for property in properties where old[property.name] == nil { lines.append("\(name).\(property.name): added") }
    for property in stored.properties where new[property.name] == nil {
      lines.append("\(name).\(property.name): removed")
    }
    for property in properties {
      guard var before = old[property.name] else { continue }
      // A definition may be older than the types in it.
      if before.type == nil { before.type = property.type }
      let (modifier, oldModifier) = (property.hashModifier ?? "none", before.hashModifier ?? "none")
      if modifier != oldModifier {
        lines.append("\(name).\(property.name): hash modifier was \(oldModifier), is \(modifier)")
      }
      if let former = property.formerName, former != before.formerName, old[former] != nil {
        lines.append("\(name).\(property.name): was \(former)")
      }
      lines += Self.compositeDifference(property, from: before, in: name).changes
      before.takeDetails(of: property)
      if before == property { continue }
      lines.append("\(name).\(property.name): \(property.change(since: before))")
    }
    if Self.sorted(uniqueness) != Self.sorted(stored.uniqueness) { lines.append("\(name): unique constraints changed") }
    if Self.sorted(indices) != Self.sorted(stored.indices) { lines.append("\(name): indexes changed") }
    return lines
  }

  /// Keys of composite attributes that each value must have and that the stored definition does not require.
  package func newRequirements(from stored: EntityDefinition) -> [(property: String, keys: [String])] {
    let old = Dictionary(stored.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return properties.flatMap { property in
      guard let before = old[property.name] else { return [(property: String, keys: [String])]() }
      let difference = Self.compositeDifference(property, from: before, in: name)
      return difference.required.map { (property: property.name, keys: $0) }
    }
  }

  private static func compositeDifference(
    _ property: Property, from before: Property, in name: String
  ) -> CompositeDifference {
    var difference = CompositeDifference()
    if let new = property.fields, let old = before.fields {
      difference.compare(new, with: old, of: "\(name).\(property.name)")
    }
    return difference
  }

  /// What ``differences(from:)`` compares, in an order of its own.
  var withoutDetails: EntityDefinition {
    var entity = self
    (entity.originalName, entity.fullText) = (nil, nil)
    (entity.uniqueness, entity.indices) = (Self.sorted(uniqueness), Self.sorted(indices))
    entity.properties = properties.map(\.withoutDetails).sorted { $0.name < $1.name }
    return entity
  }

  /// The lists without their order, which only says where in the class they are written.
  private static func sorted(_ lists: [[String]]) -> [[String]] {
    lists.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension EntityDefinition.Property {
  fileprivate mutating func addDetails(of property: PropertyInfo) {
    originalName = property.originalName == property.name ? nil : property.originalName
    hashModifier = property.hashModifier
    options = property.options.isEmpty ? nil : property.options.map(\.debugDescription)
    hasDefault = property.defaultValue == nil ? nil : true
  }

  /// Makes all equal that is compared otherwise, or not at all.
  fileprivate mutating func takeDetails(of other: Self) {
    (originalName, hashModifier, options) = (other.originalName, other.hashModifier, other.options)
    (hasDefault, fields) = (other.hasDefault, other.fields)
  }

  fileprivate var withoutDetails: Self {
    var property = self
    (property.originalName, property.options, property.hasDefault, property.fields) = (nil, nil, nil, nil)
    return property
  }

  /// Why the values of a composite attribute cannot be read as another one's: a line a field.
  package func compositeChanges(to new: Self, in entity: String) -> [String] {
    var difference = CompositeDifference()
    if let before = fields, let fields = new.fields {
      difference.compare(fields, with: before, of: "\(entity).\(name)")
    }
    return difference.changes
  }

  /// What is other than it was.
  fileprivate func change(since before: Self) -> String {
    if before.label != label { return "was \(before.label), is \(label)" }
    let parts = [("inverse", before.inverse, inverse), ("delete rule", before.deleteRule, deleteRule)]
    let changes = parts.filter { $0.1 != $0.2 }.map { "\($0.0) was \($0.1 ?? "none"), is \($0.2 ?? "none")" }
    return changes.isEmpty ? "changed" : changes.joined(separator: "; ")
  }

  /// What a reader calls the property's type.
  package var label: String {
    (isOptional ? "optional " : "") + (type ?? destination.map { "\(kind) \($0)" } ?? kind)
  }
}
