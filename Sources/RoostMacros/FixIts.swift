import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension FixIt {
  private static func change(
    _ message: String, _ old: some SyntaxProtocol, _ new: some SyntaxProtocol, name: String = #function
  ) -> FixIt {
    FixIt(
      message: RoostMessage(message: message, name: String(name.prefix { $0 != "(" })),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }

  static func replace(_ type: TypeSyntax, with name: String) -> FixIt {
    change(
      "replace '\(type.trimmedDescription)' with '\(name)'", type,
      TypeSyntax(stringLiteral: name).with(\.leadingTrivia, type.leadingTrivia)
        .with(\.trailingTrivia, type.trailingTrivia))
  }

  static func markTransient(_ declaration: VariableDeclSyntax) -> FixIt {
    let transient = AttributeSyntax(attributeName: IdentifierTypeSyntax(name: .identifier("Transient")))
      .with(\.leadingTrivia, declaration.leadingTrivia).with(\.trailingTrivia, .space)
    var new = declaration.with(\.leadingTrivia, [])
    new.attributes.insert(.attribute(transient), at: new.attributes.startIndex)
    return change("mark it @Transient", declaration, new)
  }

  /// Removes an attribute; what stood before it goes to what comes after it.
  static func remove(_ node: AttributeSyntax, from declaration: VariableDeclSyntax) -> FixIt {
    var new = declaration
    new.attributes = declaration.attributes.filter { $0.id != node.id }
    if declaration.attributes.first?.id == node.id {
      new = new.with(\.leadingTrivia, declaration.leadingTrivia)
    }
    return change("remove @\(node.baseName)", declaration, new)
  }

  static func remove(_ node: DeclModifierSyntax, from declaration: VariableDeclSyntax) -> FixIt {
    var new = declaration
    new.modifiers = declaration.modifiers.filter { $0.id != node.id }
    return change(
      "remove '\(node.trimmedDescription)'", declaration, new.with(\.leadingTrivia, declaration.leadingTrivia))
  }

  static func makeVariable(_ declaration: VariableDeclSyntax) -> FixIt {
    let specifier = declaration.bindingSpecifier
    let text = variableText(for: declaration)
    let keyword = specifier.with(\.tokenKind, .keyword(.var))
    guard text != "var" else { return change("use 'var'", specifier, keyword) }
    let setter = DeclModifierSyntax(
      name: .keyword(.private), detail: DeclModifierDetailSyntax(detail: .identifier("set")), trailingTrivia: .space)
    var new = declaration
    new.modifiers.append(setter.with(\.leadingTrivia, specifier.leadingTrivia))
    new.bindingSpecifier = keyword.with(\.leadingTrivia, [])
    return change("use 'private(set) var'", declaration, new)
  }

  /// What a `let` becomes: a private one needs no second `private`.
  static func variableText(for declaration: VariableDeclSyntax) -> String {
    declaration.modifiers.has(.private) || declaration.modifiers.has(.fileprivate) ? "var" : "private(set) var"
  }

  /// `var a = 1, b: Int` as one declaration a line.
  static func split(_ declaration: VariableDeclSyntax) -> FixIt {
    let separator = Trivia(pieces: declaration.leadingTrivia.indentationOfLastLine)
    // In `var a, b: Int` the type that is written last holds for all before it.
    var type: TypeAnnotationSyntax?
    var declarations: [VariableDeclSyntax] = []
    for binding in declaration.bindings.reversed() {
      if let own = binding.typeAnnotation { type = own } else if binding.initializer != nil { type = nil }
      var single = binding.trimmed
      single.trailingComma = nil
      if single.typeAnnotation == nil { single.typeAnnotation = type?.trimmed }
      if single.typeAnnotation == nil, single.initializer?.leadingTrivia.isEmpty ?? false {
        single.pattern.trailingTrivia = .space
      }
      var copy = declaration.trimmed
      copy.bindings = [single]
      declarations.insert(copy, at: 0)
    }
    let text = declarations.map { $0.trimmedDescription }.joined(separator: "\n\(separator)")
    let leading = declaration.leadingTrivia.description
    return change(
      "declare each property on its own", declaration,
      DeclSyntax(stringLiteral: leading + text).with(\.trailingTrivia, declaration.trailingTrivia))
  }

  static func makeOptional(_ declaration: VariableDeclSyntax) -> FixIt? {
    guard let type = declaration.bindings.first?.typeAnnotation?.type else { return nil }
    let simple =
      type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self) || type.is(ArrayTypeSyntax.self)
      || type.is(DictionaryTypeSyntax.self)
    let text = simple ? "\(type.trimmedDescription)?" : "(\(type.trimmedDescription))?"
    return change(
      "make it optional", type,
      TypeSyntax(stringLiteral: text).with(\.leadingTrivia, type.leadingTrivia)
        .with(\.trailingTrivia, type.trailingTrivia))
  }

  static func makeActor(_ declaration: some DeclGroupSyntax) -> FixIt? {
    guard declaration.is(ClassDeclSyntax.self) || declaration.is(StructDeclSyntax.self) else { return nil }
    let keyword = declaration.introducer
    return change("use 'actor'", keyword, keyword.with(\.tokenKind, .keyword(.actor)))
  }
}

extension Trivia {
  /// The spaces and tabs after the last line break.
  fileprivate var indentationOfLastLine: [TriviaPiece] {
    var result: [TriviaPiece] = []
    for piece in pieces.reversed() {
      switch piece {
      case .spaces, .tabs: result.insert(piece, at: 0)
      default: return result
      }
    }
    return result
  }
}
