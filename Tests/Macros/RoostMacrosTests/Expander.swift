import SwiftDiagnostics
import SwiftIfConfig
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import RoostMacros

/// Expands source as the compiler would, without a compiler.
struct Expander {
  /// What the source became.
  let text: String
  /// What was reported, in the order of the source.
  let reports: [Report]

  struct Report: Equatable, CustomStringConvertible {
    let line: Int
    let column: Int
    let message: String
    let fixes: [Fix]
    var description: String { "\(line):\(column): \(message)" }
  }

  struct Fix: Equatable {
    let message: String
    /// The whole source with the fix applied.
    let result: String
  }

  /// `isSubclass`: whether the classes inherit the conformances of `@Model`.
  /// `mode`: the language mode; nil where the compiler does not tell.
  init(_ source: String, isSubclass: Bool = false, mode: VersionTuple? = VersionTuple(6)) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "Test.swift")],
      buildConfiguration: mode.map {
        StaticBuildConfiguration(languageVersion: $0, compilerVersion: VersionTuple(6, 3))
      })
    let expanded = file.expand(
      macroSpecs: Self.macros(isSubclass: isSubclass),
      contextGenerator: {
        BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
      },
      indentationWidth: .spaces(2))
    text = expanded.description
    reports = context.diagnostics.map { Report($0, source: source, context: context) }
      .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  private static func macros(isSubclass: Bool) -> [String: MacroSpec] {
    let conformances = isSubclass ? [] : ["Observable", "PersistentModel", "Sendable"].map(type)
    return [
      "Model": MacroSpec(type: ModelMacro.self, conformances: conformances),
      "_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self),
      "Attribute": MacroSpec(type: AttributeMacro.self),
      "Relationship": MacroSpec(type: RelationshipMacro.self),
      "Transient": MacroSpec(type: TransientMacro.self),
      "Unique": MacroSpec(type: UniqueMacro.self),
      "Index": MacroSpec(type: IndexMacro.self),
      "FullText": MacroSpec(type: FullTextMacro.self),
      "ModelActor": MacroSpec(type: ModelActorMacro.self, conformances: [type("ModelActor")]),
      "Selection": MacroSpec(type: SelectionMacro.self, conformances: [type("ModelSelection")]),
      "Select": MacroSpec(type: SelectMacro.self),
      "Query": MacroSpec(type: QueryMacro.self),
      "Predicate": MacroSpec(type: PredicateMacro.self),
      "Expression": MacroSpec(type: PredicateExpressionMacro.self),
    ]
  }

  private static func type(_ name: String) -> TypeSyntax { TypeSyntax(IdentifierTypeSyntax(name: .identifier(name))) }
}

extension Expander.Report {
  fileprivate init(_ diagnostic: Diagnostic, source: String, context: BasicMacroExpansionContext) {
    let location = context.location(
      for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "Test.swift")
    line = location.line
    column = location.column
    message = diagnostic.message
    fixes = diagnostic.fixIts.map { fixIt in
      Expander.Fix(message: fixIt.message.message, result: fixIt.applied(to: source, context: context))
    }
  }
}

extension FixIt {
  /// The source with the changes made, the last first so that the positions of the others stay right.
  fileprivate func applied(to source: String, context: BasicMacroExpansionContext) -> String {
    var bytes = Array(source.utf8)
    let edits = changes.compactMap { change -> (range: Range<Int>, text: String)? in
      guard case .replace(let old, let new) = change else { return nil }
      let start = context.location(for: old.position, anchoredAt: old, fileName: "Test.swift").offset
      return (start..<start + old.totalLength.utf8Length, new.description)
    }
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      guard edit.range.upperBound <= bytes.count else { return "a change to \(edit.range) of \(bytes.count) bytes" }
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
