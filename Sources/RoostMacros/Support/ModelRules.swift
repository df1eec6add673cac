import SwiftDiagnostics
import SwiftSyntax

/// What is wrong with a class as a whole: its generics and the names in it.
enum ModelRules {
  /// `persisted`: the names of the properties that are clear by themselves.
  static func problems(of declaration: ClassDeclSyntax, persisted: Set<String>) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    if let clause = declaration.genericParameterClause {
      problems.append(.modelIsGeneric(clause, declaration.name.text))
    }
    for name in variableNames(in: declaration) {
      let text = name.unescaped
      if reserved.contains(text) || text.hasPrefix("_$") {
        problems.append(.reservedName(name))
      } else if text.hasPrefix("_"), persisted.contains(String(text.dropFirst())) {
        problems.append(.nameOfStorage(name, twin: String(text.dropFirst())))
      }
    }
    for name in methodNames(in: declaration) {
      let twin = String(name.unescaped.dropFirst())
      if name.unescaped.hasPrefix("_"), persisted.contains(twin) { problems.append(.nameOfStorage(name, twin: twin)) }
    }
    return problems
  }

  /// What Roost finds a model by. What else `PersistentModel` declares a model may have for itself.
  private static var reserved: Set<String> { ["persistentModelID", "schemaMetadata", "persistentBackingData"] }

  static func variableNames(in declaration: ClassDeclSyntax) -> [TokenSyntax] {
    declaration.memberBlock.members.flatMap { member -> [TokenSyntax] in
      guard let variable = member.decl.as(VariableDeclSyntax.self) else { return [] }
      return variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier }
    }
  }

  /// The methods that cannot stand beside a variable of their name: those without parameters.
  static func methodNames(in declaration: ClassDeclSyntax) -> [TokenSyntax] {
    declaration.memberBlock.members.compactMap { member in
      guard let method = member.decl.as(FunctionDeclSyntax.self), method.signature.parameterClause.parameters.isEmpty,
        !method.modifiers.has(.static), !method.modifiers.has(.class)
      else { return nil }
      return method.name
    }
  }
}
