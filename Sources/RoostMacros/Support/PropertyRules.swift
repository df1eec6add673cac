import SwiftDiagnostics
import SwiftSyntax

/// Which declarations are persisted properties, and what is wrong with those that almost are.
enum PropertyRules {
  struct Verdict {
    /// nil for what is not persisted, be it by right or because of a problem.
    var property: StoredProperty?
    var problems: [Diagnostic] = []
  }

  /// `allowsConstants`: whether a `let` can have accessors.
  static func judge(_ declaration: VariableDeclSyntax, allowsConstants: Bool) -> Verdict {
    guard claimsPersistence(declaration) else { return Verdict() }
    var problems = modifierProblems(declaration) + attributeProblems(declaration)
    guard declaration.bindings.count == 1, let binding = declaration.bindings.first else {
      return Verdict(problems: problems + [.severalBindings(declaration)])
    }
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
      return Verdict(problems: problems + [.tuplePattern(binding.pattern)])
    }
    if declaration.isConstant, !allowsConstants {
      problems.append(.constant(declaration, name.text))
    }
    problems += typeProblems(declaration, binding, name: name)
    return Verdict(
      property: problems.isEmpty ? StoredProperty(declaration) : nil,
      problems: binding.accessors.map { .observer($0, property: name.text) } + problems)
  }

  static func problems(inside conditional: IfConfigDeclSyntax) -> [Diagnostic] {
    conditional.clauses.flatMap { clause -> [Diagnostic] in
      guard case .decls(let members) = clause.elements else { return [] }
      return members.flatMap { member -> [Diagnostic] in
        if let nested = member.decl.as(IfConfigDeclSyntax.self) { return problems(inside: nested) }
        if let macro = member.decl.as(MacroExpansionDeclSyntax.self), ConstraintRules.isConstraint(macro) {
          return [.conditional(macro, "#\(macro.macroName.text)")]
        }
        guard let declaration = member.decl.as(VariableDeclSyntax.self), claimsPersistence(declaration) else {
          return []
        }
        return [.conditionalProperty(declaration)]
      }
    }
  }

  /// Whether the declaration is stored, of the instance, and not `@Transient`.
  private static func claimsPersistence(_ declaration: VariableDeclSyntax) -> Bool {
    declaration.isStored && !declaration.isStatic && !declaration.attributes.has("Transient")
  }

  private static func modifierProblems(_ declaration: VariableDeclSyntax) -> [Diagnostic] {
    declaration.modifiers.compactMap { modifier in
      switch modifier.name.tokenKind {
      case .keyword(.lazy): .lazyProperty(modifier, declaration)
      case .keyword(.weak), .keyword(.unowned): .ownership(modifier, declaration)
      default: nil
      }
    }
  }

  private static func attributeProblems(_ declaration: VariableDeclSyntax) -> [Diagnostic] {
    let attributes = declaration.attributes
    var problems: [Diagnostic] = []
    for name in ["Attribute", "Relationship"] {
      problems += attributes.named(name).dropFirst().map { .repeatedAttribute($0, declaration) }
    }
    if let attribute = attributes.named("Attribute").first, let other = attributes.named("Relationship").first {
      problems.append(.conflictingAttributes(attribute, with: other, declaration))
    }
    problems += attributes.all.filter(\.looksLikeWrapper).map { .propertyWrapper($0, declaration) }
    problems += attributes.conditional.filter { ["Attribute", "Relationship", "Transient"].contains($0.baseName) }
      .map { .conditional($0, "@\($0.baseName)") }
    return problems
  }

  private static func typeProblems(
    _ declaration: VariableDeclSyntax, _ binding: PatternBindingSyntax, name: TokenSyntax
  ) -> [Diagnostic] {
    guard let type = binding.typeAnnotation?.type else {
      guard let value = binding.initializer?.value else { return [.missingType(name)] }
      return value.needsContextualType ? [.untypedDefault(value, name: name)] : []
    }
    if let relationship = declaration.attributes.named("Relationship").first,
      let scalar = type.elementOrSelf.scalarName
    {
      return [.relationshipToScalar(relationship, type: scalar, declaration)]
    }
    if type.looksLikeCollection, let option = declaration.attributes.named("Attribute").first?.option("unique") {
      return [.uniqueCollection(option, type: type)]
    }
    if type.looksLikeCollection || type.unwrapped.scalarName.map({ $0 != "String" }) ?? false,
      let option = declaration.attributes.named("Attribute").first?.option("fullText")
    {
      return [.fullTextOfNoString(option, type: type)]
    }
    // A transformer may keep anything.
    let isTransformable = declaration.attributes.named("Attribute").contains { $0.hasOption("transformable") }
    guard !isTransformable, let part = type.unstorablePart else { return [] }
    return [.unstorableType(part, property: name.text)]
  }
}

extension VariableDeclSyntax {
  var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

  var isStatic: Bool { modifiers.has(.static) || modifiers.has(.class) }

  /// Whether the variable has memory of its own: no accessors but observers.
  var isStored: Bool {
    bindings.allSatisfy { binding in
      guard let block = binding.accessorBlock else { return true }
      guard case .accessors(let accessors) = block.accessors else { return false }
      return accessors.allSatisfy(\.isObserver)
    }
  }
}

extension PatternBindingSyntax {
  /// Those that are written as such; none of a getter alone, which needs no `get`.
  var accessors: [AccessorDeclSyntax] {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return [] }
    return Array(accessors)
  }
}

extension AccessorDeclSyntax {
  fileprivate var isObserver: Bool { ["willSet", "didSet"].contains(accessorSpecifier.text) }
}

extension AttributeSyntax {
  /// The language's own attributes start with a small letter or an underscore; types and macros do not.
  fileprivate var looksLikeWrapper: Bool {
    guard let first = baseName.first, first.isUppercase else { return false }
    return !["Attribute", "Relationship", "Transient", "MainActor"].contains(baseName)
  }
}

extension ExprSyntax {
  /// Whether the expression means nothing without a type: `[]`, `[:]`, `nil`, `.a`, `.init(…)`.
  fileprivate var needsContextualType: Bool {
    if let array = self.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
    if let dictionary = self.as(DictionaryExprSyntax.self) {
      guard case .elements(let elements) = dictionary.content else { return true }
      return elements.isEmpty
    }
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.needsContextualType }
    if let member = self.as(MemberAccessExprSyntax.self) { return member.base?.needsContextualType ?? true }
    return self.is(NilLiteralExprSyntax.self)
  }
}
