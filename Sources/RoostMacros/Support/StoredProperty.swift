import SwiftSyntax

/// One property that `@Model` persists, as the source spells it.
struct StoredProperty {
  let declaration: VariableDeclSyntax
  let identifier: TokenSyntax
  let type: TypeSyntax?
  let defaultValue: ExprSyntax?

  /// The single named variable of a declaration. nil for several bindings and patterns.
  init?(_ declaration: VariableDeclSyntax) {
    guard declaration.bindings.count == 1, let binding = declaration.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    self.declaration = declaration
    self.identifier = pattern.identifier.trimmed
    self.type = binding.typeAnnotation?.type
    self.defaultValue = binding.initializer?.value
  }

  /// The name in the schema.
  var name: String { identifier.unescaped }
  /// The name in source, with backticks where it was written with them.
  var reference: String { identifier.text }
  var storage: String { identifier.prefixed("_") }
  var marker: String { identifier.prefixed("_$marker_") }

  /// Whether it is a `let`, which gets no setter.
  var isConstant: Bool { declaration.isConstant }

  var attribute: AttributeSyntax? { declaration.attributes.named("Attribute").first }
  var relationship: AttributeSyntax? { declaration.attributes.named("Relationship").first }
}

extension StoredProperty {
  /// The expression that chooses the slot by overload resolution.
  var storageInitializer: String {
    var slot = "Roost.\(storageFunction)(for: \(typeExpression)\(transformerArgument))"
    if mayBeCoded { slot = "Roost._slot(\(slot))" }
    return isExternal ? "Roost._externalStorage(\(slot))" : slot
  }

  /// Hands over that the type is `Codable`, if it is, where the compiler knows that.
  var codingArgument: String { mayBeCoded ? ", coding: { Roost._coding(of: \(typeExpression)) }" : "" }

  /// Whether it may be that only its own coding knows the type, as far as the spelling tells.
  private var mayBeCoded: Bool {
    if transformer != nil || relationship != nil { return false }
    if let type { return type.elementOrSelf.scalarName == nil }
    return defaultValue.map { !$0.isScalar } ?? false
  }

  private var transformerArgument: String {
    guard let transformer else { return "" }
    return ", by: \(transformerName.map { "\($0).self" } ?? transformer.trimmedDescription)"
  }

  /// What `.transformable(by:)` was given.
  var transformer: ExprSyntax? {
    attribute?.option("transformable")?.expression.as(FunctionCallExprSyntax.self)?.arguments.first?.expression
  }

  /// A type that has the transformer's name, where it is given by name.
  var transformerName: String? {
    guard let transformer, transformer.as(MemberAccessExprSyntax.self)?.declName.baseName.text != "self" else {
      return nil
    }
    return identifier.prefixed("_$transformer_")
  }

  /// Whether large values are in files of their own.
  var isExternal: Bool { attribute?.hasOption("externalStorage") ?? false }

  private var storageFunction: String {
    guard let attribute else { return "_storage" }
    if attribute.hasOption("transformable") { return "_transformableStorage" }
    if attribute.hasOption("codable") { return "_codableStorage" }
    return "_storage"
  }

  private var typeExpression: String {
    if let typeAlias { return "\(typeAlias).self" }
    if let type {
      let text = type.storageText
      // `Note?.self` would ask the metatype for its optional.
      return type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self) ? "\(text).self" : "(\(text)).self"
    }
    if let defaultValue { return "Roost._typeOf(\(defaultValue.textAnywhere))" }
    return "Never.self"
  }

  /// The declared default for the schema; `nil` also stands for a default of nil.
  var defaultText: String {
    guard let defaultValue, !defaultValue.is(NilLiteralExprSyntax.self) else { return "nil" }
    guard let type else { return defaultValue.textAnywhere }
    return "(\(defaultValue.textAnywhere)) as \(typeAlias ?? type.storageText)"
  }

  /// A name for the declared type, where its own would mean another one.
  ///
  /// Models have associated types `Root` and `ID`. Inside a model an expression means those by the bare names, while
  /// a type annotation may mean the user's own type.
  var typeAlias: String? {
    guard let type, type.tokens(viewMode: .sourceAccurate).contains(where: { ["Root", "ID"].contains($0.text) }) else {
      return nil
    }
    return identifier.prefixed("_$type_")
  }

  /// The options written on the property, as a value for the schema.
  var metadataText: String {
    if let relationship { return "Roost.Schema.Relationship(\(relationship.argumentText))" }
    if let attribute { return "Roost.Schema.Attribute(\(attribute.argumentText))" }
    return "nil"
  }
}

extension ExprSyntax {
  /// The source of the expression where it may stand within others: `if` and `switch` may only where they are assigned.
  fileprivate var textAnywhere: String {
    let text = trimmedDescription
    return self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) ? "{ \(text) }()" : text
  }

  /// Whether the expression is a literal of a standard value type, or makes one: `5`, `"a"`, `Date()`.
  fileprivate var isScalar: Bool {
    if let call = self.as(FunctionCallExprSyntax.self) {
      let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
      return name.map { TypeSyntax(IdentifierTypeSyntax(name: .identifier($0))).scalarName != nil } ?? false
    }
    return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
      || self.is(StringLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
  }
}
