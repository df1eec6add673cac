import SwiftDiagnostics
import SwiftSyntax

/// What the macros need to know of a class declared with `@Model`.
struct ModelClass {
  let declaration: ClassDeclSyntax
  /// In the order declared; a property's position is its index in the slots.
  private(set) var properties: [StoredProperty] = []
  /// Those that are computed or `@Transient`.
  private(set) var unstored: [UnstoredProperty] = []
  /// `#Unique`, `#Index` and `#FullText`, in the order declared.
  private(set) var constraints: [MacroExpansionDeclSyntax] = []
  private(set) var problems: [Diagnostic] = []

  init(_ declaration: ClassDeclSyntax, allowsConstants: Bool) {
    self.declaration = declaration
    for member in declaration.memberBlock.members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        let verdict = PropertyRules.judge(variable, allowsConstants: allowsConstants)
        problems += verdict.problems
        if let property = verdict.property { properties.append(property) }
        if let property = UnstoredProperty(variable) { unstored.append(property) }
      } else if let macro = member.decl.as(MacroExpansionDeclSyntax.self) {
        if ConstraintRules.isConstraint(macro), ConstraintRules.argumentProblems(of: macro).isEmpty {
          constraints.append(macro)
        }
      } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        problems += PropertyRules.problems(inside: conditional)
      }
    }
    problems += ModelRules.problems(of: declaration, persisted: Set(properties.map(\.name)))
    // Their storage would be a second declaration of a name that the class already has.
    let names = Set(
      (ModelRules.variableNames(in: declaration) + ModelRules.methodNames(in: declaration)).map(\.unescaped))
    properties.removeAll { names.contains("_\($0.name)") }
  }

  var name: String { declaration.name.trimmed.text }
  var isFinal: Bool { declaration.modifiers.has(.final) }

  /// The access of generated members, with a space behind it.
  var access: String {
    if declaration.modifiers.has(.public) || declaration.modifiers.has(.open) { return "public " }
    return declaration.modifiers.has(.package) ? "package " : ""
  }

  /// The access of generated members that subclasses override.
  var overridableAccess: String { declaration.modifiers.has(.open) ? "open " : access }

  /// What stands where a superclass would: nil when there is nothing, or a well-known protocol.
  var possibleSuperclass: TypeSyntax? {
    guard let first = declaration.inheritanceClause?.inheritedTypes.first?.type else { return nil }
    guard let name = first.lastComponent else { return nil }
    return Self.knownProtocols.contains(name) ? nil : first.trimmed
  }

  /// Whether the source itself says `: PersistentModel`, which makes it a root.
  var declaresConformance: Bool {
    declaration.inheritanceClause?.inheritedTypes.contains { $0.type.lastComponent == "PersistentModel" } ?? false
  }

  private static var knownProtocols: Set<String> {
    [
      "Codable", "Comparable", "CustomDebugStringConvertible", "CustomReflectable", "CustomStringConvertible",
      "Decodable", "Encodable", "Equatable", "Hashable", "Identifiable", "Observable", "ObservableObject",
      "PersistentModel", "Sendable", "SendableMetatype", "Transferable",
    ]
  }
}
