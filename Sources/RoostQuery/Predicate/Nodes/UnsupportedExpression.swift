public import Foundation
import RoostCore

/// Stands where no predicate could be made: it throws when it is evaluated or fetched with.
@_documentation(visibility: private)
public struct _UnsupportedExpression: StandardPredicateExpression {
  public let message: String

  init(_ message: String) { self.message = message }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    throw SwiftDataError.unsupportedPredicate(message)
  }
}
