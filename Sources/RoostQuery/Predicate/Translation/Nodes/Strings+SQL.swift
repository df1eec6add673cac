internal import Foundation
import RoostCore
internal import RoostSQL

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.callStrings(.contains, base, other, self)
  }
  func source(_ translator: Translator) -> String {
    "\(translator.operand(base)).contains(\(translator.source(other)))"
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.callStrings(.startsWith, base, prefix, self)
  }
  func source(_ translator: Translator) -> String {
    "\(translator.operand(base)).starts(with: \(translator.source(prefix)))"
  }
}

extension _HasPrefix: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { try translator.callStrings(.hasPrefix, base, other, self) }
  func source(_ translator: Translator) -> String {
    "\(translator.operand(base)).hasPrefix(\(translator.source(other)))"
  }
}

extension _HasSuffix: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term { try translator.callStrings(.hasSuffix, base, other, self) }
  func source(_ translator: Translator) -> String {
    "\(translator.operand(base)).hasSuffix(\(translator.source(other)))"
  }
}

extension _LocalizedStandardContains: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.callStrings(.standardContains, base, other, self)
  }
  func source(_ translator: Translator) -> String {
    "\(translator.operand(base)).localizedStandardContains(\(translator.source(other)))"
  }
}

extension _CaseInsensitiveCompare: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.callStrings(.caseInsensitiveCompare, base, other, self)
  }
  func source(_ translator: Translator) -> String {
    "\(translator.operand(base)).caseInsensitiveCompare(\(translator.source(other)))"
  }
}

extension _LocalizedCompare: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    try translator.callStrings(.localizedCompare, base, other, self)
  }
  func source(_ translator: Translator) -> String {
    "\(translator.operand(base)).localizedCompare(\(translator.source(other)))"
  }
}

extension _StringConcatenation: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    let left = try translator.value(translator.term(lhs), type: String.self, self)
    let right = try translator.value(translator.term(rhs), type: String.self, self)
    return .value(ValueTerm(sql: .binary(.concatenate, left.sql, right.sql), meaning: .string))
  }
  func source(_ translator: Translator) -> String { "\(translator.operand(lhs)) + \(translator.operand(rhs))" }
}

extension Translator {
  /// A function of two strings.
  fileprivate func callStrings<Base: PredicateExpression, Other: PredicateExpression>(
    _ function: SQLFunction, _ base: Base, _ other: Other, _ node: some PredicateExpression
  ) throws -> Term {
    let terms = (try term(base), try term(other))
    guard let left = string(terms.0), let right = string(terms.1) else {
      if let test = try JSONArrays.part(function, Base.Output.self, terms.0, terms.1) { return .condition(test) }
      return try constantOrUnsupported(node, "SQL can compare strings in this way, but no other collections.")
    }
    switch function {
    case .caseInsensitiveCompare, .localizedCompare:
      let meaning = ColumnMeaning(type: ComparisonResult.self) ?? .integer
      return .value(ValueTerm(sql: .function(function, [left, right]), meaning: meaning))
    case .contains:
      let test = SQLExpression.function(function, [left, right])
      if case .text(let text)? = right.constant, let superset = mayContain(left, text) {
        return .condition(.conjunction([superset, test]))
      }
      return .condition(test)
    case .hasPrefix, .startsWith: return .condition(SwiftStrings.hasPrefix(function, left, right))
    default: return .condition(.function(function, [left, right]))
    }
  }

  /// A string of a row, or one that is captured.
  func string(_ term: Term) -> SQLExpression? {
    switch term {
    case .value(let value) where value.meaning.semantics == .string: value.sql
    case .constant(let text as any StringProtocol): .text(String(text))
    case .constant(let text as Character): .text(String(text))
    default: nil
    }
  }
}
