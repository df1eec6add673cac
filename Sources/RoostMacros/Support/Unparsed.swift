import SwiftSyntax

// Only the text of an expansion goes to the compiler, which parses it then. Parsing it here too, just to print it
// again, took a sixth of the time that type-checking a file full of models takes. So these nodes hold text alone.

extension DeclSyntax {
  /// A declaration of this text, which is not looked at.
  init(unparsed text: String) {
    self.init(MissingDeclSyntax(placeholder: .unknown(text)))
  }
}

extension ExprSyntax {
  /// An expression of this text, which is not looked at.
  init(unparsed text: String) {
    self.init(MissingExprSyntax(placeholder: .unknown(text)))
  }
}

extension AccessorDeclSyntax {
  /// An accessor of this text, which is not looked at.
  init(unparsed text: String) {
    self.init(accessorSpecifier: .unknown(text))
  }
}

extension AttributeSyntax {
  /// An attribute of this text behind the `@`, which is not looked at.
  init(unparsed text: String) {
    self.init(attributeName: IdentifierTypeSyntax(name: .unknown(text)))
  }
}
