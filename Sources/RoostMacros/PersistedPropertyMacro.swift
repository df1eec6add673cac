import SwiftSyntax
import SwiftSyntaxMacros

/// `@_PersistedProperty`: what `@Model` puts on each property it persists.
enum PersistedPropertyMacro: PeerMacro, AccessorMacro {
  /// The text is laid out as it should be; a formatter would also lay out the defaults that the user wrote.
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    guard let property = property(declaration) else { return [] }
    var peers = [
      "@exclusivity(unchecked) private var \(property.storage) = \(property.storageInitializer)",
      "private var \(property.marker): Roost._SwiftDataNoType",
    ]
    if let alias = property.typeAlias, let type = property.type {
      peers.append("private typealias \(alias) = \(type.storageText)")
    }
    if let transformer = property.transformer, let name = property.transformerName {
      peers.append(
        """
        private nonisolated enum \(name): Roost._TransformerName {
          static var name: String { \(transformer.trimmedDescription) }
        }
        """)
    }
    return peers.map(DeclSyntax.init(unparsed:))
  }

  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> [AccessorDeclSyntax] {
    guard let property = property(declaration), let model = context.enclosingTypeName else { return [] }
    let position = Position(node, in: model)
    let (name, storage) = (property.reference, property.storage)
    var accessors = [
      initializer(property, model: model, position),
      """
      get {
        if _$state._isWatched { _$access(\\.\(name)) }
        if !\(storage).isLoaded { _$load(\(position.index)) }
        return \(storage).get(self, \(position.index))
      }
      """,
    ]
    if !property.isConstant {
      accessors.append(
        """
        set {
          \(setterStart(property, position))_$willSet(\(position.index), \\.\(name))
          \(storage).assign(newValue).apply(to: self, \(position.index))
          _$didSet(\\.\(name))
        }
        """)
    }
    return accessors.map(AccessorDeclSyntax.init(unparsed:))
  }

  /// A new value for what may be in a file needs no look at the old one.
  private static func setterStart(_ property: StoredProperty, _ position: Position) -> String {
    property.isExternal ? "" : "if !\(property.storage).isLoaded { _$load(\(position.index)) }\n  "
  }

  /// The state belongs to the root class, and a subclass's properties are set before it exists.
  private static func initializer(_ property: StoredProperty, model: String, _ position: Position) -> String {
    let state = position.isInherited ? "" : "&_$state, "
    let accesses = position.isInherited ? "" : "_$state, "
    return """
      @storageRestrictions(accesses: \(accesses)\(property.storage), initializes: \(property.marker))
      init(initialValue) {
        \(property.storage).initialize(initialValue, \(state)\(position.index), \(model).self)
        \(property.marker) = .init()
      }
      """
  }

  private static func property(_ declaration: some DeclSyntaxProtocol) -> StoredProperty? {
    declaration.as(VariableDeclSyntax.self).flatMap { StoredProperty($0) }
  }
}

/// Where among its model's properties one stands.
private struct Position {
  /// An expression: a literal, or one behind the superclass's properties.
  let index: String
  /// Whether there may be a superclass that is a model.
  let isInherited: Bool

  init(_ node: AttributeSyntax, in model: String) {
    let arguments = node.argumentList
    let literal = arguments.first?.expression.trimmedDescription ?? "0"
    isInherited = arguments.contains { $0.label?.text == "inherited" && $0.expression.trimmedDescription == "true" }
    index = isInherited ? "\(model)._$base + \(literal)" : literal
  }
}
