import Foundation
import PackagePlugin

/// Declares the predicate macros in the target that applies it.
///
/// The compiler looks for a macro in the module that uses it first, and only where there is none in what the module
/// imports. There it finds Foundation's too, and solves each closure under that one as well, which takes long.
@main struct PredicateMacros: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    // The copy is what the build knows of, and this is what it is a copy of: a plug-in's own files are not built.
    let written = context.pluginWorkDirectoryURL.appending(path: "PredicateMacros.txt")
    let copied = context.pluginWorkDirectoryURL.appending(path: "PredicateMacros.swift")
    if (try? String(contentsOf: written, encoding: .utf8)) != declarations {
      try declarations.write(to: written, atomically: true, encoding: .utf8)
    }
    return [
      .buildCommand(
        displayName: "Declaring the predicate macros", executable: URL(filePath: "/bin/cp"),
        arguments: [written.path(percentEncoded: false), copied.path(percentEncoded: false)], inputFiles: [written],
        outputFiles: [copied])
    ]
  }
}

// Without a parameter pack, whatever the number of parameters: solving a closure under a pack is what takes long.
let declarations = """
  // Not where SwiftData is Apple's.
  #if canImport(RoostCore)

  import Foundation
  import RoostCore

  @freestanding(expression)
  macro Predicate<Model: PersistentModel>(
    _ body: (Model) -> Bool
  ) -> Foundation.Predicate<Model> = #externalMacro(module: "RoostMacros", type: "PredicateMacro")

  @freestanding(expression)
  macro Predicate<First: PersistentModel, Second: PersistentModel>(
    _ body: (First, Second) -> Bool
  ) -> Foundation.Predicate<First, Second> = #externalMacro(module: "RoostMacros", type: "PredicateMacro")

  @freestanding(expression)
  macro Predicate<First: PersistentModel, Second: PersistentModel, Third: PersistentModel>(
    _ body: (First, Second, Third) -> Bool
  ) -> Foundation.Predicate<First, Second, Third> = #externalMacro(module: "RoostMacros", type: "PredicateMacro")

  @freestanding(expression)
  macro Expression<Model: PersistentModel, Output>(
    _ body: (Model) -> Output
  ) -> Foundation.Expression<Model, Output> = #externalMacro(module: "RoostMacros", type: "PredicateExpressionMacro")

  @freestanding(expression)
  macro Expression<First: PersistentModel, Second: PersistentModel, Output>(
    _ body: (First, Second) -> Output
  ) -> Foundation.Expression<First, Second, Output> =
    #externalMacro(module: "RoostMacros", type: "PredicateExpressionMacro")

  @freestanding(expression)
  macro Expression<First: PersistentModel, Second: PersistentModel, Third: PersistentModel, Output>(
    _ body: (First, Second, Third) -> Output
  ) -> Foundation.Expression<First, Second, Third, Output> =
    #externalMacro(module: "RoostMacros", type: "PredicateExpressionMacro")

  // For what is no model, Foundation's.

  @freestanding(expression)
  macro Predicate<Input>(
    _ body: (Input) -> Bool
  ) -> Foundation.Predicate<Input> = #externalMacro(module: "FoundationMacros", type: "PredicateMacro")

  @freestanding(expression)
  macro Predicate<First, Second>(
    _ body: (First, Second) -> Bool
  ) -> Foundation.Predicate<First, Second> = #externalMacro(module: "FoundationMacros", type: "PredicateMacro")

  @freestanding(expression)
  macro Predicate<First, Second, Third>(
    _ body: (First, Second, Third) -> Bool
  ) -> Foundation.Predicate<First, Second, Third> = #externalMacro(module: "FoundationMacros", type: "PredicateMacro")

  @freestanding(expression)
  macro Expression<Input, Output>(
    _ body: (Input) -> Output
  ) -> Foundation.Expression<Input, Output> = #externalMacro(module: "FoundationMacros", type: "ExpressionMacro")

  @freestanding(expression)
  macro Expression<First, Second, Output>(
    _ body: (First, Second) -> Output
  ) -> Foundation.Expression<First, Second, Output> =
    #externalMacro(module: "FoundationMacros", type: "ExpressionMacro")

  @freestanding(expression)
  macro Expression<First, Second, Third, Output>(
    _ body: (First, Second, Third) -> Output
  ) -> Foundation.Expression<First, Second, Third, Output> =
    #externalMacro(module: "FoundationMacros", type: "ExpressionMacro")

  #endif

  """
