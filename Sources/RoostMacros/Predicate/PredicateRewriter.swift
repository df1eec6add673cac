import SwiftDiagnostics
import SwiftSyntax

/// Turns the body of a predicate into statements that each apply one operator: `let _3 = ….and(_1, _2)`.
///
/// One nested expression would be type-checked as a whole, in time exponential in its clauses; a statement is solved
/// by itself. Sub-expressions that do not depend on the model stay as written, inside the statement that uses them,
/// so that the other operand gives literals and implicit members their type.
final class PredicateRewriter {
  /// The expansion so far.
  var lines: [String] = []
  var diagnostics: [Diagnostic] = []
  /// Names of the user's that stand for a node: closure parameters, `if let` and `let`.
  var scope: [String: Operand] = [:]
  /// Optional chaining marks (`?`) whose unwrapped value is at hand.
  var unwrapped: [SyntaxIdentifier: Operand] = [:]

  /// The constants that stand for the models themselves, which the macro's signature says they are.
  private var models: Set<String> = []

  private let prefix: String
  private var count = 0
  private var depth = 0

  /// The names of the expansion must not hide what the closure captures.
  init(avoiding closure: ClosureExprSyntax) {
    var prefix = "_"
    let names = Set(closure.tokens(viewMode: .sourceAccurate).map(\.text))
    while names.contains(where: { $0.hasPrefix(prefix) && Int($0.dropFirst(prefix.count)) != nil }) { prefix += "_" }
    self.prefix = prefix
  }

  func freshName() -> String {
    count += 1
    return prefix + String(count)
  }

  func line(_ text: String) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }

  /// Adds a statement that makes a node.
  func emit(_ function: String, _ arguments: String...) -> Operand {
    let name = freshName()
    line("let \(name) = \(builderName).\(function)(\(arguments.joined(separator: ", ")))")
    return .node(name)
  }

  /// Adds a closure: `opening { _2 in …; return … }`.
  func block(opening: String, parameters: Int, body: ([Operand]) -> String) {
    let names = (0..<parameters).map { _ in freshName() }
    if depth == 0 { models.formUnion(names) }
    line("\(opening) { \(names.joined(separator: ", ")) in")
    depth += 1
    let result = body(names.map { .node($0) })
    line("return \(result)")
    depth -= 1
    line("}")
  }

  func block(opening: String, body: (Operand) -> String) {
    block(opening: opening, parameters: 1) { body($0.first ?? .nilLiteral) }
  }

  /// Whether an operand is a model that the predicate is about.
  func isModel(_ operand: Operand) -> Bool {
    if case .node(let name) = operand { models.contains(name) } else { false }
  }

  /// Reports what cannot be part of a query. The value only lets the rest be looked at; it is never compiled.
  func fail(_ message: String, at node: some SyntaxProtocol) -> Operand {
    diagnostics.append(PredicateDiagnostic(message).at(node))
    return .node("_")
  }

  func rewrite(_ expression: ExprSyntax) -> Operand {
    if let infix = expression.as(InfixOperatorExprSyntax.self) { return rewriteInfix(infix) }
    if let known = unwrapped[expression.id] { return known }
    guard involvesModel(expression) else {
      // Unwrapped with the predicate, where nil matches nothing: unwrapped here it would trap.
      if let unwrap = expression.as(ForceUnwrapExprSyntax.self) {
        return emit("unwrap", Operand.value(unwrap.expression.trimmedDescription).asNode)
      }
      return expression.is(NilLiteralExprSyntax.self) ? .nilLiteral : .value(expression.trimmedDescription)
    }
    if let chained = rewriteOptionalChain(expression) { return chained }
    switch expression.as(ExprSyntaxEnum.self) {
    case .declReferenceExpr(let name): return scope[name.plainName] ?? .value(name.trimmedDescription)
    case .tupleExpr(let tuple): return rewriteTuple(tuple)
    case .prefixOperatorExpr(let prefix): return rewritePrefix(prefix)
    case .memberAccessExpr(let member): return rewriteMember(member)
    case .functionCallExpr(let call): return rewriteCall(call)
    case .subscriptCallExpr(let call): return rewriteSubscript(call)
    case .forceUnwrapExpr(let unwrap): return emit("unwrap", rewrite(unwrap.expression).asNode)
    case .ternaryExpr(let ternary): return rewriteTernary(ternary)
    case .ifExpr(let conditional): return rewriteIf(conditional)
    case .asExpr(let cast): return rewriteCast(cast)
    case .isExpr(let check):
      return emit("typeCheck", rewrite(check.expression).asNode, "is: (\(check.type.trimmedDescription)).self")
    case .stringLiteralExpr(let literal):
      return fail("string interpolation is not supported in a predicate; join strings with +", at: literal)
    case .switchExpr(let statement):
      return fail("'switch' is not supported in a predicate; use if and else", at: statement.switchKeyword)
    case .arrayExpr(let array):
      return fail("an array of the model's values is not supported in a predicate; compare them one by one", at: array)
    case .tryExpr(let node): return rewrite(node.expression)
    case .closureExpr(let closure): return fail("a closure is not supported here in a predicate", at: closure)
    default: return fail("this expression is not supported in a predicate", at: expression)
    }
  }

  private func rewriteTuple(_ tuple: TupleExprSyntax) -> Operand {
    guard let element = tuple.elements.first, tuple.elements.count == 1, element.label == nil else {
      return fail("a tuple is not supported in a predicate; compare its elements one by one", at: tuple)
    }
    return rewrite(element.expression)
  }
}

extension DeclReferenceExprSyntax {
  /// The name without back-ticks.
  var plainName: String { baseName.plainText }
}

extension TokenSyntax {
  var plainText: String { text.filter { $0 != "`" } }
}
