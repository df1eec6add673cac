internal import Foundation
internal import RoostSQL

extension _AllOf: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    .condition(.conjunction(try translator.conditions(of: predicates, given: repeat each variable, until: .false)))
  }

  func source(_ translator: Translator) -> String { translator.source(predicates, separator: " && ", none: "true") }
}

extension _AnyOf: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    .condition(.disjunction(try translator.conditions(of: predicates, given: repeat each variable, until: .true)))
  }

  func source(_ translator: Translator) -> String { translator.source(predicates, separator: " || ", none: "false") }
}

extension Translator {
  /// A list of predicates about as it were written with operators; of a long one the beginning.
  fileprivate func source<each Input>(
    _ predicates: [Foundation.Predicate<repeat each Input>], separator: String, none: String
  ) -> String {
    let texts = predicates.prefix(40).map { operand($0.expression) }
    return predicates.isEmpty ? none : (texts + (predicates.count > 40 ? ["…"] : [])).joined(separator: separator)
  }

  /// The conditions of a list of predicates over the same variables, as far as they are ever evaluated.
  ///
  /// `decision`: the value of one predicate that decides the list, so that the rest is not evaluated.
  fileprivate func conditions<each Input>(
    of predicates: [Foundation.Predicate<repeat each Input>],
    given variable: repeat PredicateExpressions.Variable<each Input>, until decision: SQLExpression
  ) throws -> [SQLExpression] {
    var terms: [Term] = []
    for variable in repeat each variable { terms.append(try term(variable)) }
    var conditions: [SQLExpression] = []
    for predicate in predicates {
      let (condition, failure) = try collectingFailures {
        try binding(repeat each predicate.variable, to: terms) { try self.condition(predicate.expression) }
      }
      if failure != .false {
        // Evaluated only where the ones before have not decided.
        let before = decision == .false ? conditions : conditions.map { .negation($0) }
        fail(when: .conjunction(before + [failure]))
      }
      conditions.append(condition)
      if condition == decision { break }
    }
    return conditions
  }
}
