internal import Foundation
import RoostCore

extension Translator {
  /// The error for a part of a predicate that has no SQL.
  func unsupported(_ node: some PredicateExpression, _ advice: String) -> SwiftDataError {
    .unsupportedPredicate("`\(source(node))` cannot be part of a query. \(advice)")
  }

  /// A node as it was written, about.
  func source(_ node: some PredicateExpression) -> String {
    sourceDepth += 1
    defer { sourceDepth -= 1 }
    guard sourceDepth <= sourceLimit, PredicateDepth.hasRoom(at: sourceDepth) else { return "…" }
    return (node as? any TranslatableExpression)?.source(self) ?? "\(type(of: node))"
  }

  /// What an error says that evaluating or encoding a constant threw.
  func reason(_ error: any Error) -> String { SwiftDataError.reason(error, tellsValues: tellsValues) }

  /// An operand as it was written, in parentheses when it is more than a name or a call.
  func operand(_ node: some PredicateExpression) -> String {
    let text = source(node)
    var depth = 0
    for character in text {
      switch character {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case " " where depth == 0: return "(\(text))"
      default: break
      }
    }
    return text
  }
}
