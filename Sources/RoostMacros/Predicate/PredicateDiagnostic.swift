import SwiftDiagnostics
import SwiftSyntax

/// An error on the part of the user's closure that cannot become part of a query.
struct PredicateDiagnostic: DiagnosticMessage {
  let message: String
  let severity = DiagnosticSeverity.error
  var diagnosticID: MessageID { MessageID(domain: "Roost", id: "predicate") }

  init(_ message: String) { self.message = message }

  func at(_ node: some SyntaxProtocol) -> Diagnostic { Diagnostic(node: Syntax(node), message: self) }
}
