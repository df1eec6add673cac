import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main struct RoostMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ModelMacro.self,
    PersistedPropertyMacro.self,
    AttributeMacro.self,
    RelationshipMacro.self,
    TransientMacro.self,
    UniqueMacro.self,
    IndexMacro.self,
    FullTextMacro.self,
    ModelActorMacro.self,
    SelectionMacro.self,
    SelectMacro.self,
    QueryMacro.self,
    PredicateMacro.self,
    PredicateExpressionMacro.self,
  ]
}
