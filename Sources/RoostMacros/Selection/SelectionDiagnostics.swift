import SwiftDiagnostics
import SwiftSyntax

extension Diagnostic {
  static func selectionNeedsStruct(_ node: AttributeSyntax, _ declaration: some DeclGroupSyntax) -> Diagnostic {
    error(node, "@Selection needs a struct, not \(declaration.kindWithArticle): what is selected are values")
  }

  static func selectionNeedsModel(_ node: AttributeSyntax) -> Diagnostic {
    error(node, "@Selection needs the type of a model, written out: '@Selection(of: Note.self)'")
  }

  static func selectionIsEmpty(_ name: TokenSyntax) -> Diagnostic {
    error(name, "@Selection struct '\(name.text)' has no property to select")
  }

  static func severalSelected(_ declaration: VariableDeclSyntax) -> Diagnostic {
    error(
      declaration.bindings, "a @Selection struct needs one declaration a property", fixIts: [.split(declaration)])
  }

  static func selectedPattern(_ declaration: VariableDeclSyntax) -> Diagnostic {
    error(declaration.bindings, "a selected property cannot be declared by a pattern; declare each on its own")
  }

  static func selectedNeedsType(_ name: TokenSyntax) -> Diagnostic {
    error(name, "selected property '\(name.text)' needs a type")
  }

  static func selectedTwice(_ node: AttributeSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    error(node, "a property is one value; remove one @Select", fixIts: [.remove(node, from: declaration)])
  }

  static func selectedConstant(_ value: ExprSyntax, _ name: TokenSyntax) -> Diagnostic {
    error(value, "'\(name.text)' has its value already; remove the value, or @Select")
  }

  static func notOnSelectedProperty(_ node: AttributeSyntax) -> Diagnostic {
    error(node, "@Select belongs on a stored property of a @Selection struct")
  }

  static func notSelected(_ node: AttributeSyntax, _ declaration: VariableDeclSyntax) -> Diagnostic {
    let kind = declaration.isStatic ? "static" : "computed"
    return error(
      node, "a \(kind) property is not selected; remove @Select", fixIts: [.remove(node, from: declaration)])
  }
}
