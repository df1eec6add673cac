import SwiftSyntax

/// The text of the members that `@Model` adds to a class.
///
/// One short statement a property, so that the type checker never meets one long expression.
struct ModelMembers {
  let model: ModelClass
  let isSubclass: Bool
  /// What `@Model(originalName:)` was given, as source.
  var originalName: String?

  var declarations: [DeclSyntax] {
    var texts: [String] = []
    if !isSubclass {
      texts.append("@exclusivity(unchecked) \(model.access)var _$state = Roost._ModelState()")
      texts.append("\(model.access)var _$stateAddress: Roost._StateAddress { .init(&_$state) }")
    }
    if let base { texts.append(base) }
    if let inheritedKeyPaths { texts.append(inheritedKeyPaths) }
    if let unstored { texts.append(unstored) }
    texts += [schemaMetadata, rowInitializer, backingDataInitializer, read, write, edit]
    return texts.map(DeclSyntax.init(unparsed:))
  }

  /// What predicates are warned of. A subclass has its root's, as associated types are not overridden.
  private var unstored: String? {
    if isSubclass || model.unstored.isEmpty { return nil }
    let members = model.unstored.map { "  \($0.member(of: name))\n" }.joined()
    return """
      \(model.access)nonisolated struct _$Unstored: Roost._UnstoredProperties {
        \(model.access)init() {}
      \(members)}
      """
  }

  private var name: String { model.name }
  private var override: String { isSubclass ? "override " : "" }

  /// Where the class's own indices start. Private, so that each class of a hierarchy has its own.
  private var base: String? {
    guard let superclass = model.possibleSuperclass else { return nil }
    let value = isSubclass ? "Roost._propertyCount(\(superclass).self)" : "0"
    return "private static let _$base: Int = \(value)"
  }

  private var schemaMetadata: String {
    let kind = isSubclass ? "override class" : model.isFinal ? "static" : "class"
    let entries =
      [inheritedEntry, originalNameEntry].compactMap { $0 } + model.properties.enumerated().map { entry($0, $1) }
      + model.constraints.map(entry)
    let list = "[Roost.Schema.PropertyMetadata]"
    let body = entries.isEmpty ? [] : ["var _$properties: \(list) = []"] + entries
    return function(
      "\(kind) var schemaMetadata: \(list)", body + [entries.isEmpty ? "[]" : "return _$properties"],
      access: model.overridableAccess)
  }

  /// The superclasses' properties under the class's own name.
  private var inheritedEntry: String? {
    guard isSubclass, let superclass = model.possibleSuperclass else { return nil }
    return """
      _$properties.append(Roost.Schema.PropertyMetadata(
          of: \(name).self, inherited: \(superclass)._$keyPaths(of: \(name).self)))
      """
  }

  private var originalNameEntry: String? {
    originalName.map {
      "_$properties.append(Roost.Schema.PropertyMetadata(of: \(name).self, originalName: \($0)))"
    }
  }

  /// What subclasses call. An overload for each class, of which the one closest to a subclass is chosen.
  private var inheritedKeyPaths: String? {
    if model.isFinal { return nil }
    let inherited =
      isSubclass ? model.possibleSuperclass.map { "\($0)._$keyPaths(of: type)" } ?? "[]" : "[]"
    let own = model.properties.map { property in
      let reference = property.reference
      return "_$keyPaths.append(.init(\\_$Sub.\(reference), chained: \\_$Sub?.?.\(reference)))"
    }
    return function(
      "static func _$keyPaths<_$Sub: \(name)>(of type: _$Sub.Type) -> [Roost._InheritedKeyPath]",
      own.isEmpty
        ? [inherited]
        : ["var _$keyPaths: [Roost._InheritedKeyPath] = \(inherited)"] + own + ["return _$keyPaths"],
      access: model.access)
  }

  private func entry(_ place: Int, _ property: StoredProperty) -> String {
    """
    _$properties.append(Roost.Schema.PropertyMetadata(
        name: \(property.name.literal), keypath: \\\(name).\(property.reference), slot: \\\(name).\(property.storage),
        chained: { \\\(name)?.?.\(property.reference) },
        defaultValue: \(property.defaultText),
        metadata: \(property.metadataText)\(property.codingArgument)\(property.isConstant ? assignment(of: property, at: place) : "")))
    """
  }

  /// What sets a `let`, for models that are made of a snapshot or of another's values.
  private func assignment(of property: StoredProperty, at place: Int) -> String {
    let index = model.possibleSuperclass == nil ? "\(place)" : "\(name)._$base + \(place)"
    return """
      ,
          assign: {
            if !$0.\(property.storage).isLoaded { $0._$load(\(index)) }
            $0._$willSet(\(index), \\\(name).\(property.reference))
            $0.\(property.storage).assign($1).apply(to: $0, \(index))
            $0._$didSet(\\\(name).\(property.reference))
          }
      """
  }

  private func entry(_ constraint: MacroExpansionDeclSyntax) -> String {
    let kind = constraint.macroName.text
    let arguments = constraint.arguments.trimmedDescription
    return """
      _$properties.append(Roost.Schema.PropertyMetadata(
          \(kind.lowercased()): Roost.Schema.\(kind)<\(name)>(\(arguments))))
      """
  }

  private var markers: [String] {
    model.properties.map { "\($0.marker) = .init()" }
  }

  private var rowInitializer: String {
    let rest = isSubclass ? ["super.init(_$row: &row)"] : freshState + ["_$read(&row)"]
    return function("required init(_$row row: inout Roost._RowReader)", markers + rest, access: model.access)
  }

  /// Declared defaults, and nil, have been set by now as if the user had; what comes from the store starts clean.
  private var freshState: [String] {
    let hasDefaults = model.properties.contains { $0.defaultValue != nil || $0.type?.isOptional ?? false }
    return hasDefaults ? ["_$state = Roost._ModelState()"] : []
  }

  private var backingDataInitializer: String {
    let root = isSubclass ? model.possibleSuperclass.map { "\($0).Root" } ?? name : name
    let rest = isSubclass ? "super.init(backingData: backingData)" : "_$adopt(backingData)"
    return function(
      "required init(backingData: any Roost.BackingData<\(root)>)", markers + [rest], access: model.access)
  }

  private var read: String {
    let own = model.properties.map { "row.read(&\($0.storage))" }
    return function(
      "\(override)func _$read(_ row: inout Roost._RowReader)", inherited("super._$read(&row)") + own,
      access: model.overridableAccess)
  }

  private var write: String {
    let own = model.properties.map { "row.write(&\($0.storage))" }
    return function(
      "\(override)func _$write(_ row: inout Roost._RowWriter)", inherited("super._$write(&row)") + own,
      access: model.overridableAccess)
  }

  private var edit: String {
    let hasOffset = model.possibleSuperclass != nil
    let cases = model.properties.enumerated().map { "case \($0): edit.apply(to: &\($1.storage))" }
    let rest = "default: \(isSubclass ? "super._$edit(&edit, at: index)" : "break")"
    return function(
      "\(override)func _$edit(_ edit: inout Roost._SlotEdit, at index: Int)",
      ["switch index\(hasOffset ? " - \(name)._$base" : "") {"] + cases + [rest, "}"], access: model.overridableAccess)
  }

  private func inherited(_ call: String) -> [String] { isSubclass ? [call] : [] }

  /// The statements may hold text of the user's, so that they are indented in their first line only.
  private func function(_ signature: String, _ statements: [String], access: String) -> String {
    "\(access)\(signature) {\n\(statements.map { "  \($0)\n" }.joined())}"
  }
}
