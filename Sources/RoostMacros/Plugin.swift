import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main struct RoostMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = []
}
