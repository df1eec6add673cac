import SwiftSyntax

extension PredicateRewriter {
  func rewriteCall(_ call: FunctionCallExprSyntax) -> Operand {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base else {
      return unsupported(call, name: call.calledExpression)
    }
    guard call.additionalTrailingClosures.isEmpty else {
      return fail("a second trailing closure is not supported in a predicate", at: call)
    }
    var arguments = call.arguments.map { (label: $0.label?.text, value: $0.expression) }
    if let closure = call.trailingClosure { arguments.append((label: "{", value: ExprSyntax(closure))) }
    let labels = arguments.map { $0.label ?? "_" }
    switch (member.declName.baseName.text, labels) {
    case ("contains", ["_"]): return rewriteContains(base, arguments[0].value)
    case ("contains", ["where"]), ("contains", ["{"]):
      return emit("contains", rewrite(base), closure: arguments[0].value)
    case ("allSatisfy", ["_"]), ("allSatisfy", ["{"]):
      return emit("allSatisfy", rewrite(base), closure: arguments[0].value)
    case ("filter", ["_"]), ("filter", ["{"]):
      return emit("filter", rewrite(base), closure: arguments[0].value)
    case ("flatMap", ["_"]), ("flatMap", ["{"]):
      return emit("flatMap", rewrite(base), closure: arguments[0].value) { "\(builderName).optional(\($0.asNode))" }
    case ("map", ["_"]), ("map", ["{"]):
      return emit("flatMap", rewrite(base), closure: arguments[0].value) { "\(builderName).some(\($0.asArgument))" }
    case ("starts", ["with"]): return rewriteStarts(base, arguments[0].value)
    case ("hasPrefix", ["_"]), ("hasSuffix", ["_"]), ("localizedStandardContains", ["_"]),
      ("localizedCompare", ["_"]), ("caseInsensitiveCompare", ["_"]):
      return binary(member.declName.baseName.text, rewrite(base), rewrite(arguments[0].value))
    case ("matches", ["_"]): return rewriteMatches(base, arguments[0].value)
    case ("evaluate", _) where !arguments.isEmpty && labels.allSatisfy { $0 == "_" }:
      return rewriteEvaluate(call, base, arguments.map(\.value))
    case ("min", []): return emit("min", rewrite(base).asNode)
    case ("max", []): return emit("max", rewrite(base).asNode)
    default: return unsupported(call, name: ExprSyntax(member.declName))
    }
  }

  private func rewriteStarts(_ base: ExprSyntax, _ prefix: ExprSyntax) -> Operand {
    let base = rewrite(base)
    let prefix = rewrite(prefix)
    return switch prefix {
    case .node(let name): emit("starts", base.asArgument, "with: \(name)")
    case .value(let text): emit("starts", base.asArgument, "withValue: \(text)")
    case .nilLiteral: emit("starts", base.asArgument, "withValue: nil")
    }
  }

  /// `$0.body.matches(text)`: found by an index, so that what is looked for is one text for all rows.
  private func rewriteMatches(_ base: ExprSyntax, _ query: ExprSyntax) -> Operand {
    guard case .value(let text) = rewrite(query) else {
      return fail(
        "the text to look for must be the same for all rows; use contains(_:) to compare properties", at: query)
    }
    return emit("matches", rewrite(base).asNode, "value: .init(\(text))")
  }

  /// `predicate.evaluate($0)`, or `expression.evaluate($0.a, $0.b)`.
  private func rewriteEvaluate(_ call: FunctionCallExprSyntax, _ base: ExprSyntax, _ inputs: [ExprSyntax]) -> Operand {
    let callee = rewrite(base)
    guard !callee.isNode else {
      return fail("only a captured predicate or expression can be evaluated in a predicate", at: call)
    }
    let nodes = inputs.map { rewrite($0).asNode }
    return emit("evaluate", ([callee.asArgument] + nodes).joined(separator: ", "))
  }

  /// `base.contains(element)`. Limits that the model gives are compared one by one: a range would trap when the lower
  /// one is above the upper.
  func rewriteContains(_ base: ExprSyntax, _ element: ExprSyntax) -> Operand {
    if let range = rangeOperator(base), involvesModel(range) {
      let value = rewrite(element)
      let lower = binary("compare", rewrite(range.leftOperand), value, ".lessThanOrEqual")
      let isClosed = range.operator.trimmedDescription == "..."
      let upper = binary(
        "compare", value, rewrite(range.rightOperand), isClosed ? ".lessThanOrEqual" : ".lessThan")
      return binary("and", lower, upper)
    }
    return binary("contains", rewrite(base), rewrite(element))
  }

  private func rangeOperator(_ expression: ExprSyntax) -> InfixOperatorExprSyntax? {
    var inner = expression
    while let tuple = inner.as(TupleExprSyntax.self), let element = tuple.elements.first, tuple.elements.count == 1 {
      inner = element.expression
    }
    guard let infix = inner.as(InfixOperatorExprSyntax.self),
      ["...", "..<"].contains(infix.operator.trimmedDescription)
    else { return nil }
    return infix
  }

  private func unsupported(_ call: FunctionCallExprSyntax, name: ExprSyntax) -> Operand {
    let name = name.trimmedDescription
    let remedy = Self.remedies[name] ?? "compute it before the predicate, or filter the fetched models"
    return fail("'\(name)' is not supported in a predicate; \(remedy)", at: call.calledExpression)
  }

  /// What to write instead of the methods that people try.
  private static let remedies = [
    "lowercased": "use caseInsensitiveCompare(_:) or localizedStandardContains(_:), which ignore case",
    "uppercased": "use caseInsensitiveCompare(_:) or localizedStandardContains(_:), which ignore case",
    "localizedCaseInsensitiveContains": "use localizedStandardContains(_:), which ignores case",
    "localizedCaseInsensitiveCompare": "use caseInsensitiveCompare(_:)",
    "localizedStandardCompare": "use localizedCompare(_:) or caseInsensitiveCompare(_:)",
    "compare": "use <, == and >",
    "wholeMatch": "use contains(_:) with ^ and $ in the pattern",
    "firstMatch": "use contains(_:) with the pattern",
    "matches": "use contains(_:) with the pattern",
    "range": "use contains(_:) or localizedStandardContains(_:)",
    "first": "use contains(where:) or filter(_:).count",
    "reduce": "use an aggregate of the fetch instead",
    "isMultiple": "use % and == instead",
    "distance": "use - instead",
    "trimmingCharacters": "store the trimmed text",
  ]
}
