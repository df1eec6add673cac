import Foundation
import Roost

// As a program with long predicates has it: see Sources/Roost/PredicateMacros.swift.

@freestanding(expression)
macro Predicate<Model: PersistentModel>(
  _ body: (Model) -> Bool
) -> Foundation.Predicate<Model> = #externalMacro(module: "RoostMacros", type: "PredicateMacro")
