import Foundation
import RoostCore

/// An entity, written as the source of its model might be.
struct EntityText {
  private let entity: EntityDefinition
  private let rows: Int?

  init(_ entity: EntityDefinition, rows: Int?) {
    (self.entity, self.rows) = (entity, rows)
  }

  var text: String {
    let macro = entity.originalName.map { "@Model(originalName: \"\($0)\")" } ?? "@Model"
    let superclass = entity.superentity.map { ": \($0)" } ?? ""
    let comment = rows.map { "  // \(count($0, "row"))" } ?? ""
    let lines = constraints + entity.properties.map(line)
    return "\(macro) class \(entity.name)\(superclass) {\(comment)\n" + lines.map { "  \($0)\n" }.joined() + "}"
  }

  // MARK: - Constraints

  private var constraints: [String] {
    let own = Set(entity.properties.map(\.name))
    let lists = entity.uniqueness.filter { $0.count > 1 || !own.contains($0[0]) }
    var lines = lists.isEmpty ? [] : ["#Unique<\(entity.name)>(\(keyPaths(lists)))"]
    if !entity.indices.isEmpty { lines.append("#Index<\(entity.name)>(\(keyPaths(entity.indices)))") }
    for index in entity.fullText ?? [] where index.properties.count > 1 {
      lines.append("#FullText<\(entity.name)>(\(keyPaths([index.properties])))  // \(index.tokenizer)")
    }
    return lines
  }

  private func keyPaths(_ lists: [[String]]) -> String {
    lists.map { "[\($0.map { "\\.\($0)" }.joined(separator: ", "))]" }.joined(separator: ", ")
  }

  // MARK: - Properties

  private func line(_ property: EntityDefinition.Property) -> String {
    let macro = property.isRelationship ? relationshipMacro(property) : attributeMacro(property)
    let value = property.hasDefault == true ? " = …" : ""
    let notes = notes(property)
    return (macro.map { "\($0) " } ?? "") + "var \(property.name): \(type(property))\(value)"
      + (notes.isEmpty ? "" : "  // \(notes.joined(separator: "; "))")
  }

  private func attributeMacro(_ property: EntityDefinition.Property) -> String? {
    var arguments = property.options ?? []
    if isUnique(property), !arguments.contains(where: { $0.hasPrefix(".unique") }) { arguments.append(".unique") }
    if property.isExternal, !arguments.contains(".externalStorage") { arguments.append(".externalStorage") }
    arguments += names(property)
    return arguments.isEmpty ? nil : "@Attribute(\(arguments.joined(separator: ", ")))"
  }

  private func relationshipMacro(_ property: EntityDefinition.Property) -> String? {
    var arguments = isUnique(property) ? [".unique"] : []
    if let rule = property.deleteRule, rule != "nullify" { arguments.append("deleteRule: .\(rule)") }
    arguments += names(property)
    if let inverse = property.inverse, let destination = property.destination {
      arguments.append("inverse: \\\(destination).\(inverse)")
    }
    return arguments.isEmpty ? nil : "@Relationship(\(arguments.joined(separator: ", ")))"
  }

  private func isUnique(_ property: EntityDefinition.Property) -> Bool {
    entity.uniqueness.contains([property.name])
  }

  private func names(_ property: EntityDefinition.Property) -> [String] {
    [property.originalName.map { "originalName: \"\($0)\"" }, property.hashModifier.map { "hashModifier: \"\($0)\"" }]
      .compactMap(\.self)
  }

  private func type(_ property: EntityDefinition.Property) -> String {
    let type = property.destination.map { property.isToOne ? $0 : "[\($0)]" } ?? Self.name(property.valueType)
    return (type ?? property.kind) + (property.isOptional ? "?" : "")
  }

  private func notes(_ property: EntityDefinition.Property) -> [String] {
    var notes: [String] = []
    if property.valueType?.hasPrefix("raw ") == true { notes.append("raw values") }
    if let fields = property.fields { notes.append(Self.text(fields)) }
    if let table = property.joinTable { notes.append("table \(table)") }
    if let column = property.column { notes.append("column \(column)") }
    return notes
  }

  private static func text(_ fields: [CompositeDefinition]) -> String {
    let parts = fields.map { field in
      "\(field.name): \(field.fields.map { "{ \(text($0)) }" } ?? name(field.type) ?? field.type)"
        + (field.isOptional ? "?" : "")
    }
    return parts.joined(separator: ", ")
  }

  /// As source has it: `Int` and `Int64` are the same in a file.
  private static func name(_ type: String?) -> String? {
    switch type {
    case "Int64": "Int"
    case "UInt64": "UInt"
    case let type?: type.hasPrefix("raw ") ? name(String(type.dropFirst(4))) : type
    case nil: nil
    }
  }
}
