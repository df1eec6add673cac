import SwiftDiagnostics
import SwiftSyntax

/// A view's property that shows a query's results, as the source spells it.
struct QueriedProperty {
  /// The name of the query beside it.
  let storage: String
  let type: String

  struct Problem: Error {
    let diagnostic: Diagnostic
  }

  /// The property, or why it cannot have a query.
  static func read(
    _ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol
  ) -> Result<QueriedProperty, Problem> {
    func failure(_ diagnostic: Diagnostic) -> Result<QueriedProperty, Problem> {
      .failure(Problem(diagnostic: diagnostic))
    }
    guard let variable = declaration.as(VariableDeclSyntax.self), variable.isStored, !variable.isStatic,
      !variable.isConstant
    else { return failure(.queryNeedsVariable(node)) }
    // Several at once are the compiler's to refuse.
    guard let binding = variable.bindings.first, let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      return failure(.queryNeedsVariable(node))
    }
    guard let type = binding.typeAnnotation?.type else { return failure(.queryNeedsType(pattern.identifier)) }
    if let value = binding.initializer { return failure(.queryHasValue(value, pattern.identifier)) }
    return .success(QueriedProperty(storage: pattern.identifier.prefixed("_"), type: type.trimmedDescription))
  }
}

extension Diagnostic {
  fileprivate static func queryNeedsVariable(_ node: AttributeSyntax) -> Diagnostic {
    error(node, "@Query belongs on a stored 'var' of a view, such as '@Query private var notes: [Note]'")
  }

  fileprivate static func queryNeedsType(_ name: TokenSyntax) -> Diagnostic {
    error(name, "'\(name.text)' needs a type: an array of models, or SectionedResults where the query has sections")
  }

  fileprivate static func queryHasValue(_ value: InitializerClauseSyntax, _ name: TokenSyntax) -> Diagnostic {
    error(value, "'\(name.text)' has its value from the query; remove this one")
  }
}
