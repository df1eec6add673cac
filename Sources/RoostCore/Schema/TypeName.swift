/// A type as a file can keep it: found again where it still exists, and told by its name where it does not.
struct TypeName: Codable, Hashable {
  /// As a reader wants it: "Optional<String>".
  let name: String
  /// As the runtime finds it.
  private let mangled: String?

  init(_ type: any Any.Type) {
    name = _typeName(type, qualified: false)
    mangled = _mangledTypeName(type)
  }

  /// A name that is no type's of this program.
  init(unknown name: String) {
    self.name = name
    mangled = nil
  }

  /// The type, or `Any` when the running program has none of that name.
  var type: any Any.Type {
    // A file's text may hold anything; the runtime takes control characters in a name for addresses.
    guard let mangled, mangled.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return Any.self }
    return _typeByName(mangled) ?? Any.self
  }

  /// Modules and enclosing types come and go between versions of a program, so the bare name counts.
  static func == (lhs: TypeName, rhs: TypeName) -> Bool { lhs.name == rhs.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A type kept together with its name, which outlives it.
struct NamedType {
  let name: TypeName
  let type: any Any.Type

  init(_ type: any Any.Type) {
    name = TypeName(type)
    self.type = type
  }

  init(_ name: TypeName) {
    self.name = name
    type = name.type
  }
}
