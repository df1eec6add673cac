internal import Foundation
import RoostCore
internal import RoostSQL

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if Input.Output.self == Desired.self {
      return switch try translator.term(input) {
      case .constant(let value): .constant((value as? Desired) as Any)
      case let term: .optional(isNil: .false, term)
      }
    }
    if Input.Output.self == Output.self { return try translator.term(input) }
    if let (isKind, row) = try translator.narrow(input, to: Desired.self) {
      return .optional(isNil: .negation(isKind), .row(row))
    }
    return try translator.constantOrUnsupported(self, "A column has one type.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(input)) as? \(Desired.self)" }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if Input.Output.self == Desired.self { return try translator.term(input) }
    if let (isKind, row) = try translator.narrow(input, to: Desired.self) {
      translator.fail(when: .negation(isKind))
      return .row(row)
    }
    return try translator.constantOrUnsupported(self, "A column has one type.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(input)) as! \(Desired.self)" }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    if Input.Output.self == Desired.self { return .constant(true) }
    if let (isKind, _) = try translator.narrow(input, to: Desired.self) { return .condition(isKind) }
    return try translator.constantOrUnsupported(self, "A column has one type.")
  }

  func source(_ translator: Translator) -> String { "\(translator.operand(input)) is \(Desired.self)" }
}

extension Translator {
  /// A model as one of a subclass, and the condition that it is one; nil where models are not concerned.
  fileprivate func narrow(
    _ input: some PredicateExpression, to type: Any.Type
  ) throws -> (isKind: SQLExpression, RowTerm)? {
    guard let model = type as? any PersistentModel.Type, let entity = entity(model) else { return nil }
    let isNil: SQLExpression
    var row: RowTerm
    switch try term(input) {
    case .row(let found): (isNil, row) = (.false, found)
    case .optional(let missing, .row(let found)): (isNil, row) = (missing, found)
    default: return nil
    }
    let isKind = isKind(row, of: entity)
    if entity.isKind(of: row.entity) { row.entity = entity }
    return (.conjunction([.negation(isNil), isKind]), row)
  }

  /// The condition that a row is of an entity or of one below it.
  func isKind(_ row: RowTerm, of entity: EntityInfo) -> SQLExpression {
    if row.entity.isKind(of: entity) { return .true }
    guard entity.isKind(of: row.entity) else { return .false }
    return .inList(.column(alias(row), entityNameColumn), entity.typeNames.map { .text($0) })
  }
}
