import RoostCore
import RoostSQL

extension SchemaMappingBuilder {
  private static let external = "external "

  mutating func addAttribute(
    _ property: PropertyInfo, _ codec: any _AttributeCodec.Type, to table: inout SchemaMapping.Table
  ) {
    guard let column = property.column, let source = table.source else { return }
    guard let stored = stored(property), !stored.isRelationship else {
      addNew(property, codec, column, to: &table)
      return
    }
    let value = value(of: property)
    guard let converted = converted(property, codec, stored, value) else {
      let fallback = StoredDefault(property, codec)
      // All rows lack what is required.
      let mayLack = property.isOptional || fallback != nil
      conflict(
        property, stored,
        rows: mayLack
          ? rows(of: source, showing: value, where: .isNotNull(value)) : rows(for: property, in: table, showing: value))
      if let fallback { table.values[column] = fallback.expression }
      return
    }
    let mayBeNil = sources(of: property).contains(where: \.property.isOptional)
    guard !property.isOptional, mayBeNil || hasNewcomers(property) else {
      table.values[column] = converted
      return
    }
    if let value = StoredDefault(property, codec) {
      table.values[column] = .function(.coalesce, [converted, value.expression])
      return
    }
    table.values[column] = converted
    guard let rows = rows(for: property, in: table, where: .isNull(value)) else { return }
    let isUp = stored.entity.name != mapping.sources[property.owner.name]?.name && heirs[stored.name] == nil
    let lack: String? =
      isUp
      ? "It moved up from \(sources(of: property).map(\.entity.name).joined(separator: " and ")), may not be nil, and has"
        + " no default value: rows of other classes lack it."
      : stored.property.isOptional
        ? nil : "It may not be nil, and has no default value: rows that were not of its class lack it."
    mapping.checks.append(
      MigrationCheck(
        model: property.owner.name, property: property.name,
        message: lack ?? "It may not be nil any more, and has no default value.",
        rows: rows,
        remedy: lack == nil
          ? "Give it a default value, or say what it is in a stage:\n"
            + ".transform(\(V1.path(stored)), to: \(V2.path(property))) { $0 ?? … }"
          : "Give it a default value, make it optional, or set it in the code of a stage:\n\(V1.stageWithCode)",
        isCertain: false, gap: property))
  }

  /// A property that the file does not have.
  private mutating func addNew(
    _ property: PropertyInfo, _ codec: any _AttributeCodec.Type, _ column: String, to table: inout SchemaMapping.Table
  ) {
    if let value = StoredDefault(property, codec) {
      table.values[column] = value.expression
    } else if !property.isOptional, let rows = rows(for: property, in: table) {
      mapping.checks.append(
        MigrationCheck(
          model: property.owner.name, property: property.name,
          message: "It is new, may not be nil, and has no default value.", rows: rows,
          remedy: "Give it a default value, make it optional, or, if it had another name, say which:\n"
            + "@Attribute(originalName: \"…\") var \(property.name)\nor compute it of others in a stage:\n"
            + ".transform(\\V1.\(property.owner.name).…, to: \(V2.path(property))) { … }", gap: property))
    }
  }

  /// The old value as one of the new type; nil when it may be none.
  private mutating func converted(
    _ property: PropertyInfo, _ codec: any _AttributeCodec.Type, _ stored: StoredProperty, _ value: SQLExpression
  ) -> SQLExpression? {
    guard
      let new = definitions[property.owner.name]?.properties.first(where: { $0.name == property.name }),
      let newType = new.type, let oldType = stored.property.type ?? new.type
    else { return nil }
    var difference = CompositeDifference()
    if let fields = new.fields, let before = stored.property.fields {
      difference.compare(fields, with: before, of: "\(property.owner.name).\(property.name)")
    }
    if !difference.changes.isEmpty { return nil }
    let (wasExternal, isExternal) = (oldType.hasPrefix(Self.external), newType.hasPrefix(Self.external))
    let from = wasExternal ? String(oldType.dropFirst(Self.external.count)) : oldType
    let to = isExternal ? String(newType.dropFirst(Self.external.count)) : newType
    guard let step = AttributeConversion.step(from: from, to: to) else { return nil }
    func content(of value: SQLExpression) -> SQLExpression {
      wasExternal ? .function(.externalValue, [value, .text(codec.columnType.rawValue)]) : value
    }
    checkRequirements(difference.required, property, stored, content(of: column(stored.column)))
    let content = isExternal ? value : content(of: value)
    return switch step {
    case .copy: content
    case .real: .cast(content, .real)
    }
  }

  /// Parts of composite values that must be there and that old values may lack.
  private mutating func checkRequirements(
    _ keys: [[String]], _ property: PropertyInfo, _ stored: StoredProperty, _ text: SQLExpression
  ) {
    for path in keys {
      let steps = path.map { SQLJSONStep.key($0) }
      let outer = JSONPlace(text: text, steps: steps.dropLast())
      let inner = JSONPlace(text: text, steps: steps)
      mapping.checks.append(
        MigrationCheck(
          model: property.owner.name, property: property.name, keys: path,
          message: "It was added, and stored values have none.",
          rows: rows(
            of: old.table(of: stored.entity), where: .all([.isNotNull(outer.extracted), .isNull(inner.extracted)])),
          remedy: "Make it optional, or give it a default in the struct's init(from:), or write the values anew:\n"
            + ".transform(\(V1.path(stored)), to: \(V2.path(property))) { … }",
          isCertain: false))
    }
  }

  mutating func conflict(_ property: PropertyInfo, _ stored: StoredProperty, rows: SQLSelect?) {
    guard let rows else { return }
    let new = definitions[property.owner.name]?.properties.first { $0.name == property.name }
    let parts = new.map { stored.property.compositeChanges(to: $0, in: property.owner.name) } ?? []
    mapping.checks.append(
      MigrationCheck(
        model: property.owner.name, property: property.name,
        message: parts.isEmpty
          ? "It was \(stored.property.label), and is \(new?.label ?? "something else")."
          : "Its values have another form: \(parts.joined(separator: ", ")).",
        rows: rows,
        remedy: "Say how one becomes the other in a stage:\n"
          + ".transform(\(V1.path(stored)), to: \(V2.path(property))) { … }",
        gap: property.column == nil ? nil : property))
  }
}

extension StoredDefault {
  var expression: SQLExpression {
    switch self {
    case .same(let value): .value(value)
    case .each(let entity, let property): .function(.defaultValue, [.text(entity), .text(property)])
    }
  }
}

extension SQLFunction {
  static let defaultValue = SQLFunction("roost_default")
  static let externalValue = SQLFunction("roost_external")
}

/// Names in the Swift source of a remedy.
enum V1 {
  static let stageWithCode =
    ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { context in … })"

  static func path(_ stored: StoredProperty) -> String { "\\V1.\(stored.name)" }

  static func stage(dropping stored: StoredProperty?) -> String {
    ".custom(from: V1.self, to: V2.self, steps: [\(stored.map { ".drop(\(path($0)))" } ?? "")]) { old, new in … }"
  }
}

enum V2 {
  static func path(_ property: PropertyInfo) -> String { "\\V2.\(property.owner.name).\(property.name)" }
}
