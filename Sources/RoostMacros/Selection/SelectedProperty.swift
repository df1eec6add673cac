import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// One property of a `@Selection` struct, as the source spells it.
struct SelectedProperty {
  let name: String
  /// The name in source, with backticks where it was written with them.
  let reference: String
  let type: String
  /// The key path, column or aggregate that its value comes from.
  let source: ExprSyntax

  /// Adds a column to those of the query.
  var call: String {
    let function = source.is(KeyPathExprSyntax.self) ? "addProperty" : "add"
    return "\(function)(\(name.literal), \(source.trimmed), as: (\(type)).self)"
  }

  /// The properties that are selected, and what is wrong with others.
  static func all(of declaration: StructDeclSyntax, model: String) -> ([SelectedProperty], [Diagnostic]) {
    var (properties, problems) = ([SelectedProperty](), [Diagnostic]())
    for member in declaration.memberBlock.members {
      guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isStored, !variable.isStatic else {
        continue
      }
      switch property(variable, model) {
      case .success(let property): if let property { properties.append(property) }
      case .failure(let problem): problems.append(problem.diagnostic)
      }
    }
    return (properties, problems)
  }

  private struct Problem: Error {
    let diagnostic: Diagnostic
  }

  /// nil for a property that has a value of its own.
  private static func property(
    _ variable: VariableDeclSyntax, _ model: String
  ) -> Result<SelectedProperty?, Problem> {
    func failure(_ diagnostic: Diagnostic) -> Result<SelectedProperty?, Problem> {
      .failure(Problem(diagnostic: diagnostic))
    }
    let selects = variable.attributes.named("Select")
    if variable.bindings.count > 1 { return failure(.severalSelected(variable)) }
    guard let binding = variable.bindings.first, let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      return failure(.selectedPattern(variable))
    }
    let identifier = pattern.identifier.trimmed
    if let value = binding.initializer?.value {
      if selects.isEmpty { return .success(nil) }
      if variable.bindingSpecifier.tokenKind == .keyword(.let) { return failure(.selectedConstant(value, identifier)) }
    }
    guard let type = binding.typeAnnotation?.type else { return failure(.selectedNeedsType(pattern.identifier)) }
    if selects.count > 1 { return failure(.selectedTwice(selects[1], variable)) }
    return .success(
      SelectedProperty(
        name: identifier.unescaped, reference: identifier.text, type: type.storageText,
        source: selects.first?.argumentList.first?.expression ?? ownSource(identifier, model)))
  }

  /// The model's property of the same name.
  private static func ownSource(_ identifier: TokenSyntax, _ model: String) -> ExprSyntax {
    identifier.text == "persistentModelID" ? ".persistentModelID" : "\\\(raw: model).\(raw: identifier.text)"
  }
}
