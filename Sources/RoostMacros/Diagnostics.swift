import SwiftDiagnostics
import SwiftSyntax

// Every text that the macros show, in one place. Each says what is wrong and what to do instead.

enum DiagnosticText {
  static let modelsAreNotSendable =
    "Models belong to their context's actor: pass snapshot() or persistentModelID, or use a @ModelActor"
}

struct RoostMessage: DiagnosticMessage, FixItMessage {
  let message: String
  let name: String
  var severity: DiagnosticSeverity = .error

  var diagnosticID: MessageID { MessageID(domain: "Roost", id: name) }
  var fixItID: MessageID { diagnosticID }
}

extension Diagnostic {
  static func error(
    _ node: some SyntaxProtocol, _ message: String, name: String = #function, fixIts: [FixIt] = []
  ) -> Diagnostic {
    make(.error, node, message, name, fixIts)
  }

  static func warning(_ node: some SyntaxProtocol, _ message: String, name: String = #function) -> Diagnostic {
    make(.warning, node, message, name, [])
  }

  private static func make(
    _ severity: DiagnosticSeverity, _ node: some SyntaxProtocol, _ message: String, _ name: String, _ fixIts: [FixIt]
  ) -> Diagnostic {
    let name = String(name.prefix { $0 != "(" })
    return Diagnostic(
      node: node, message: RoostMessage(message: message, name: name, severity: severity), fixIts: fixIts)
  }
}

// MARK: - The class

extension Diagnostic {
  static func modelNeedsClass(_ node: AttributeSyntax, _ declaration: some DeclGroupSyntax) -> Diagnostic {
    error(node, "@Model needs a class, not \(declaration.kindWithArticle): models are objects with identity")
  }

  static func modelIsGeneric(_ clause: GenericParameterClauseSyntax, _ name: String) -> Diagnostic {
    error(clause, "@Model class '\(name)' cannot be generic: a schema needs one concrete type a table")
  }

  static func reservedName(_ name: TokenSyntax) -> Diagnostic {
    error(name, "'\(name.text)' is a name that every model already has; rename the property")
  }

  static func nameOfStorage(_ name: TokenSyntax, twin: String) -> Diagnostic {
    error(name, "'\(name.text)' is where @Model keeps the value of '\(twin)'; rename one of the two")
  }

  static func conditionalProperty(_ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      declaration,
      "a persisted property cannot stand inside '#if': the schema would depend on how the program was built; "
        + "move it out, or mark it @Transient",
      fixIts: [.markTransient(declaration)])
  }
}

extension Diagnostic {
  /// What would be left out of the schema without a word.
  static func conditional(_ node: some SyntaxProtocol, _ name: String) -> Diagnostic {
    error(
      node,
      "\(name) cannot stand inside '#if': the schema would depend on how the program was built; move it out")
  }
}

// MARK: - A property

extension Diagnostic {
  static func severalBindings(_ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      declaration.bindings, "a @Model class needs one declaration a property", fixIts: [.split(declaration)])
  }

  static func tuplePattern(_ pattern: PatternSyntax) -> Diagnostic {
    error(pattern, "a persisted property cannot be declared by a pattern; declare each property on its own")
  }

  static func constant(_ declaration: VariableDeclSyntax, _ name: String) -> Diagnostic {
    let text = FixIt.variableText(for: declaration)
    return error(
      declaration.bindingSpecifier,
      "persisted property '\(name)' cannot be 'let' in the Swift 6 language mode, because the store fills it in after "
        + "'init'; use '\(text)', or mark it @Transient to keep it out of the store",
      fixIts: [.makeVariable(declaration), .markTransient(declaration)])
  }

  static func lazyProperty(_ modifier: DeclModifierSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      modifier, "a persisted property cannot be 'lazy'; remove 'lazy', or mark the property @Transient",
      fixIts: [.remove(modifier, from: declaration), .markTransient(declaration)])
  }

  static func ownership(_ modifier: DeclModifierSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    let word = modifier.name.text
    return error(
      modifier,
      "a persisted property cannot be '\(word)'; remove '\(word)': "
        + "models that refer to each other do not keep each other alive",
      fixIts: [.remove(modifier, from: declaration), .markTransient(declaration)])
  }

  static func observer(_ accessor: AccessorDeclSyntax, property: String) -> Diagnostic {
    let word = accessor.accessorSpecifier.text
    return warning(
      accessor.accessorSpecifier,
      "'\(word)' of persisted property '\(property)' is never called, as in SwiftData; "
        + "change it through a method or a computed property, or mark it @Transient")
  }

  static func propertyWrapper(_ attribute: AttributeSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      attribute,
      "'@\(attribute.attributeName.trimmedDescription)' cannot be on a persisted property, whose storage is @Model's; "
        + "remove it, or mark the property @Transient",
      fixIts: [.markTransient(declaration)])
  }

  static func missingType(_ name: TokenSyntax) -> Diagnostic {
    error(name, "persisted property '\(name.text)' needs a type")
  }

  static func untypedDefault(_ value: ExprSyntax, name: TokenSyntax) -> Diagnostic {
    error(
      value,
      "persisted property '\(name.text)' needs a written type, because '\(value.trimmedDescription)' alone has none")
  }

  static func unstorableType(_ type: TypeSyntax, property: String) -> Diagnostic {
    let what = type.kindWithArticle
    return error(
      type,
      "persisted property '\(property)' cannot hold \(what); "
        + "use a Codable struct or enum, a model, or mark the property @Transient")
  }
}

// MARK: - @Attribute, @Relationship and @Transient

extension Diagnostic {
  static func notOnModelProperty(_ node: AttributeSyntax) -> Diagnostic {
    error(node, "@\(node.baseName) belongs on a stored property of a @Model class")
  }

  static func notOnComputed(_ node: AttributeSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      node, "a computed property is not persisted; remove @\(node.baseName)", fixIts: [.remove(node, from: declaration)]
    )
  }

  static func notOnStatic(_ node: AttributeSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      node, "a static property is not persisted; remove @\(node.baseName)",
      fixIts: [.remove(node, from: declaration)])
  }

  static func repeatedAttribute(_ node: AttributeSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      node, "@\(node.baseName) is already on this property; put all its options into one",
      fixIts: [.remove(node, from: declaration)])
  }

  static func conflictingAttributes(
    _ node: AttributeSyntax, with other: AttributeSyntax, _ declaration: VariableDeclSyntax
  ) -> Diagnostic {
    error(
      node, "@\(node.baseName) cannot stand beside @\(other.baseName); remove one of them",
      fixIts: [.remove(node, from: declaration), .remove(other, from: declaration)])
  }

  static func relationshipToScalar(
    _ node: AttributeSyntax, type: String, _ declaration: VariableDeclSyntax
  ) -> Diagnostic {
    error(
      node, "@Relationship needs a model, an optional model or an array of models, not '\(type)'; use @Attribute",
      fixIts: [.remove(node, from: declaration)])
  }

  static func uniqueCollection(_ argument: LabeledExprSyntax, type: TypeSyntax) -> Diagnostic {
    error(argument, "a collection such as '\(type.trimmedDescription)' cannot be unique; only a single value can")
  }

  static func fullTextOfNoString(_ argument: LabeledExprSyntax, type: TypeSyntax) -> Diagnostic {
    error(argument, "only a String has a full-text index, not '\(type.trimmedDescription)'")
  }

  static func transientNeedsDefault(_ name: TokenSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      name,
      "transient property '\(name.text)' needs a default value or an optional type, "
        + "because a model loaded from the store has nothing to set it to",
      fixIts: FixIt.makeOptional(declaration).map { [$0] } ?? [])
  }
}

// MARK: - #Unique, #Index, #FullText and @ModelActor

extension Diagnostic {
  static func notInModel(_ node: some FreestandingMacroExpansionSyntax) -> Diagnostic {
    error(node, "#\(node.macroName.text) belongs inside a @Model class")
  }

  static func otherModel(_ type: TypeSyntax, macro: String, model: String) -> Diagnostic {
    error(
      type, "#\(macro) inside '\(model)' can only name its own properties; write '#\(macro)<\(model)>'",
      fixIts: [.replace(type, with: model)])
  }

  static func noKeyPaths(_ node: some FreestandingMacroExpansionSyntax) -> Diagnostic {
    error(node, "#\(node.macroName.text) needs at least one array of key paths, such as '[\\.name]'")
  }

  static func emptyKeyPaths(_ array: ArrayExprSyntax, macro: String) -> Diagnostic {
    error(array, "#\(macro) cannot be over no property; name at least one, such as '[\\.name]'")
  }

  static func notKeyPath(_ expression: ExprSyntax, macro: String) -> Diagnostic {
    error(expression, "#\(macro) needs key path literals, such as '\\.name', which can be read while compiling")
  }

  static func notPropertyList(_ expression: ExprSyntax, macro: String) -> Diagnostic {
    error(expression, "#\(macro) needs an array literal of key paths, such as '[\\.name]'")
  }

  static func modelActorNeedsActor(_ node: AttributeSyntax, _ declaration: some DeclGroupSyntax) -> Diagnostic {
    error(
      node, "@ModelActor needs an actor, not \(declaration.kindWithArticle)",
      fixIts: FixIt.makeActor(declaration).map { [$0] } ?? [])
  }
}
