import SwiftSyntax

extension AttributeSyntax {
  /// The attribute's name without a module in front of it: `Attribute` for `@SwiftData.Attribute(.unique)`.
  var baseName: String { attributeName.lastComponent ?? attributeName.trimmedDescription }

  /// The arguments as written, without the parentheses and without comments around them.
  var argumentText: String {
    guard case .argumentList(let list) = arguments else { return "" }
    return list.trimmedDescription
  }

  /// The arguments, or none for an attribute without parentheses.
  var argumentList: [LabeledExprSyntax] {
    guard case .argumentList(let list) = arguments else { return [] }
    return Array(list)
  }

  /// Whether an unlabelled argument is the option, written `.unique`, `Option.unique` or `.transformable(…)`.
  func hasOption(_ name: String) -> Bool {
    option(name) != nil
  }

  func option(_ name: String) -> LabeledExprSyntax? {
    argumentList.first { $0.label == nil && $0.expression.optionName == name }
  }
}

extension ExprSyntax {
  fileprivate var optionName: String? {
    if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.optionName }
    return self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
  }
}

extension AttributeListSyntax {
  /// The attributes of that name, in the order written. Those inside `#if` are not looked at.
  func named(_ name: String) -> [AttributeSyntax] {
    all.filter { $0.baseName == name }
  }

  func has(_ name: String) -> Bool { !named(name).isEmpty }

  /// The attributes outside `#if`.
  var all: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

  /// The attributes inside `#if`.
  var conditional: [AttributeSyntax] {
    compactMap { $0.as(IfConfigDeclSyntax.self) }.flatMap(\.clauses).flatMap { clause -> [AttributeSyntax] in
      guard case .attributes(let list) = clause.elements else { return [] }
      return list.all + list.conditional
    }
  }
}

extension DeclModifierListSyntax {
  func first(_ keyword: Keyword) -> DeclModifierSyntax? {
    first { $0.name.tokenKind == .keyword(keyword) && $0.detail == nil }
  }

  func has(_ keyword: Keyword) -> Bool { first(keyword) != nil }
}
