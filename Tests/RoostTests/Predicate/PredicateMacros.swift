import Foundation
import Roost

// Macros of this module hide Foundation's, whose overloads take long to rule out.

@freestanding(expression)
macro Predicate<Model: PersistentModel>(
  _ body: (Model) -> Bool
) -> Foundation.Predicate<Model> = #externalMacro(module: "RoostMacros", type: "PredicateMacro")

@freestanding(expression)
macro Predicate<Input>(
  _ body: (Input) -> Bool
) -> Foundation.Predicate<Input> = #externalMacro(module: "FoundationMacros", type: "PredicateMacro")
