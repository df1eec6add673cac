public import Foundation
public import RoostCore

// Two overloads each, in this order. The compiler tries Foundation's macro of the same name as well, whose parameter
// pack makes it solve the closure in a slower way, with other overloads of `==` where a side is optional. The plain
// overload is solved quickly and bounds the search; the pack is what wins over Foundation's in every such case.
//
// Long predicates still suffer from that search wherever Foundation is imported too. A macro declared in the module
// that uses it hides all others of its name: the plug-in PredicateMacros declares these in a program's own targets.

/// A condition on models of one type, for a fetch, a deletion or `evaluate(_:)`.
///
/// ```swift
/// let recent = #Predicate<Note> { $0.createdAt > yesterday && !$0.title.isEmpty }
/// ```
///
/// The closure is ordinary Swift; what cannot become part of a query is reported on its own line. Values it captures
/// must be `Codable & Sendable`; a captured model is compared by identity. For types that are no models Foundation's
/// macro of the same name applies.
@freestanding(expression)
public macro Predicate<Model: PersistentModel>(
  _ body: (Model) -> Bool
) -> Foundation.Predicate<Model> = #externalMacro(module: "RoostMacros", type: "PredicateMacro")

/// A condition on one or more models.
@freestanding(expression)
public macro Predicate<each Model: PersistentModel>(
  _ body: (repeat each Model) -> Bool
) -> Foundation.Predicate<repeat each Model> = #externalMacro(module: "RoostMacros", type: "PredicateMacro")

/// A value computed from a model, to be used inside predicates with `evaluate(_:)`.
///
/// ```swift
/// let words = #Expression<Note, Int> { $0.words.filter { $0.count > 3 }.count }
/// let long = #Predicate<Note> { words.evaluate($0) > 1_000 }
/// ```
@freestanding(expression)
public macro Expression<Model: PersistentModel, Output>(
  _ body: (Model) -> Output
) -> Foundation.Expression<Model, Output> = #externalMacro(module: "RoostMacros", type: "PredicateExpressionMacro")

/// A value computed from one or more models.
@freestanding(expression)
public macro Expression<each Model: PersistentModel, Output>(
  _ body: (repeat each Model) -> Output
) -> Foundation.Expression<repeat each Model, Output> =
  #externalMacro(module: "RoostMacros", type: "PredicateExpressionMacro")
