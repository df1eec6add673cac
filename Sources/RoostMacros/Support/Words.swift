import SwiftSyntax

extension DeclGroupSyntax {
  /// How a message names what kind of declaration this is.
  var kindWithArticle: String {
    if self.is(ClassDeclSyntax.self) { return "a class" }
    if self.is(StructDeclSyntax.self) { return "a struct" }
    if self.is(EnumDeclSyntax.self) { return "an enum" }
    if self.is(ActorDeclSyntax.self) { return "an actor" }
    if self.is(ProtocolDeclSyntax.self) { return "a protocol" }
    return self.is(ExtensionDeclSyntax.self) ? "an extension" : "this declaration"
  }
}

extension TypeSyntax {
  /// How a message names a type that cannot be stored.
  var kindWithArticle: String {
    if self.is(TupleTypeSyntax.self) { return "a tuple" }
    if self.is(FunctionTypeSyntax.self) { return "a function" }
    if self.is(MetatypeTypeSyntax.self) { return "a type" }
    return "'\(trimmedDescription)'"
  }
}
