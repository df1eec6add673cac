import SwiftSyntax

/// A property of a model that is computed or `@Transient`, as a predicate may name it by mistake.
struct UnstoredProperty {
  let identifier: TokenSyntax
  /// With a space behind it.
  let access: String
  let isTransient: Bool

  /// nil for what is stored, for what other code cannot name or is told about anyway, and for what has no key path.
  init?(_ declaration: VariableDeclSyntax) {
    guard declaration.bindings.count == 1, !declaration.isStatic, !declaration.attributes.has("available"),
      declaration.hasKeyPath,
      let name = declaration.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier
    else { return nil }
    isTransient = declaration.attributes.has("Transient")
    guard isTransient || !declaration.isStored else { return nil }
    identifier = name.trimmed
    let modifier = declaration.modifiers.first { modifier in
      modifier.detail == nil && Self.accessLevels.contains(modifier.name.text)
    }
    access = modifier.map { $0.name.text == "open" ? "public " : "\($0.name.text) " } ?? ""
  }

  private static let accessLevels: Set = ["open", "public", "package", "internal", "fileprivate", "private"]

  /// Stands for the property in a predicate, where it is preferred to the property itself, and warns.
  func member(of model: String) -> String {
    let (name, kind) = (identifier.text, isTransient ? "@Transient" : "computed")
    return """
      @available(*, deprecated, message: "\(kind), not stored: fetches by it throw. Store it, or filter the fetched models")
        \(access)let \(name) = Roost._path(\\\(model).\(name))
      """
  }
}

extension VariableDeclSyntax {
  /// Whether code of no actor can name the property by a key path, and write the type that this has.
  ///
  /// No getter that throws or waits has one, nor has anybody but an actor one of what is the actor's. A `some` type has
  /// no name outside of its property.
  fileprivate var hasKeyPath: Bool {
    let mayBeOfActor = attributes.all.contains { $0.baseName != "Transient" && $0.baseName.first?.isUppercase ?? false }
    if mayBeOfActor { return false }
    return bindings.allSatisfy { binding in
      let type = binding.typeAnnotation?.tokens(viewMode: .sourceAccurate)
      let isOpaque = type?.contains { $0.tokenKind == .keyword(.some) } ?? false
      return !isOpaque && binding.accessors.allSatisfy { $0.effectSpecifiers == nil }
    }
  }
}
