internal import Foundation
import RoostCore
internal import RoostSQL

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    switch try translator.term(root) {
    case .row(let row): try translator.property(keyPath, of: row, self)
    case .elements(let elements): try property(of: elements, translator)
    case .value(let value): try property(of: value, translator)
    case .constant(let value):
      if let value = value as? Root.Output {
        .constant(value[keyPath: keyPath as Swift.KeyPath<Root.Output, Output>])
      } else {
        throw translator.unsupported(self, "Capture the value in a constant outside the predicate.")
      }
    case .external(let property): throw SwiftDataError.externalKeyPath(property)
    case .optional, .range: throw translator.unsupported(self, "Unwrap it with `?.` first.")
    }
  }

  private func property(of elements: ElementsTerm, _ translator: Translator) throws -> Term {
    switch isCount {
    case true: return try translator.count(elements)
    case false: return .condition(.negation(try translator.exists(elements)))
    default: throw translator.unsupported(self, "Ask a collection for isEmpty, count, contains or allSatisfy.")
    }
  }

  /// True for `count`, false for `isEmpty`: Foundation does not tell those of slices.
  private var isCount: Bool? {
    func open<Elements: SliceType>(_ type: Elements.Type) -> Bool? { type.isCount(keyPath) }
    if let slice = Root.Output.self as? any SliceType.Type { return open(slice) }
    return kind == .collectionCount ? true : kind == .collectionIsEmpty ? false : nil
  }

  private func property(of value: ValueTerm, _ translator: Translator) throws -> Term {
    let isCount = kind.map { $0 == .collectionCount }
    if let term = try ValueProperty(value, keyPath: keyPath, output: Output.self, isCount: isCount).term() {
      return term
    }
    if let collection = JSONCollection(value) {
      switch kind {
      case .collectionFirst: if let term = collection.end(.index(0)) { return term }
      case .bidirectionalCollectionLast: if let term = collection.end(.last) { return term }
      default: break
      }
    } else if let place = value.json, let term = try field(at: place, translator) {
      return term
    }
    return try translator.constantOrUnsupported(self, "SQL cannot compute it.")
  }

  /// A property of a `Codable` struct, which is kept as JSON.
  private func field(at place: JSONPlace, _ translator: Translator) throws -> Term? {
    guard CodableTypes.decodable(Root.Output.self) != nil, !(Root.Output.self is any _NativeValue.Type) else {
      return nil
    }
    guard let path = CompositePaths.path(keyPath) else {
      throw translator.unsupported(
        self, "A query knows the stored properties of a Codable struct, as far as its decoding shows their JSON keys.")
    }
    return try JSONValues.term(path, at: place)
  }

  func source(_ translator: Translator) -> String {
    "\(translator.operand(root)).\(name(translator))"
  }

  private func name(_ translator: Translator) -> String {
    if let type = Root.Output.self as? any PersistentModel.Type, let names = translator.names(of: keyPath, in: type) {
      return names
    }
    switch kind {
    case .collectionCount: return "count"
    case .collectionIsEmpty: return "isEmpty"
    case .collectionFirst: return "first"
    case .bidirectionalCollectionLast: return "last"
    case nil: break
    @unknown default: break
    }
    // A computed property has no name at run time.
    let name = "\(keyPath)".split(separator: ".").last.map(String.init) ?? ""
    return name.isEmpty || name.contains("<") ? "…" : name
  }
}

private protocol SliceType {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool?
}

extension ArraySlice: SliceType {
  fileprivate static func isCount(_ keyPath: AnyKeyPath) -> Bool? {
    keyPath == \Self.count ? true : keyPath == \Self.isEmpty ? false : nil
  }
}

extension Translator {
  /// What a row has at a place in a composite attribute.
  func term(_ path: FieldPath, of row: RowTerm) throws -> Term {
    func field(_ attribute: Term) throws -> Term {
      switch attribute {
      case .optional(let isNil, let inner): return chained(isNil, inner, try field(inner))
      case .value(let value): return try value.json.map { try JSONValues.term(path.field, at: $0) } ?? attribute
      default: return attribute
      }
    }
    return try field(term(path.properties, of: row))
  }
}

extension _LongKeyPath: TranslatableExpression {
  func term(_ translator: Translator) throws -> Term {
    switch try translator.term(root) {
    case .row(let row): try translator.property(keyPath, of: row, self)
    default: try translator.constantOrUnsupported(self, "Begin the key path at a model.")
    }
  }

  func source(_ translator: Translator) -> String {
    let names = (Root.Output.self as? any PersistentModel.Type).flatMap { translator.names(of: keyPath, in: $0) }
    return "\(translator.operand(root)).\(names ?? "…")"
  }
}

extension Translator {
  /// What a row has at the end of a key path.
  fileprivate func property(
    _ keyPath: AnyKeyPath, of row: RowTerm, _ node: some PredicateExpression
  ) throws -> Term {
    if let path = row.entity.path(for: keyPath) {
      if let problem = path.last?.opacity {
        throw SwiftDataError.unsupportedPredicate("`\(source(node))` cannot be part of a query. \(problem)")
      }
      let term = term(path, of: row)
      if case .external(let property) = term { throw SwiftDataError.externalKeyPath(property) }
      return term
    }
    if let path = row.entity.fieldPath(for: keyPath) { return try term(path, of: row) }
    if row.entity.isIdentity(keyPath) { return .row(row) }
    if row.entity.ephemeralName(for: keyPath) != nil {
      throw SwiftDataError.ephemeralKeyPath(source(node), model: row.entity.name)
    }
    throw SwiftDataError.unsupportedKeyPath(
      "`\(source(node))` is no stored property of \(row.entity.name): a query knows only those. "
        + "Use the stored properties it is computed from.")
  }

  /// The names of the properties that a path of a model goes along; nil if they are not known.
  fileprivate func names(of keyPath: AnyKeyPath, in model: any PersistentModel.Type) -> String? {
    guard let entity = entity(model) else { return nil }
    if let path = entity.path(for: keyPath) { return path.map(\.name).joined(separator: "?.") }
    if let path = entity.fieldPath(for: keyPath) {
      return (path.properties.map(\.name) + path.field.keys).joined(separator: "?.")
    }
    return entity.ephemeralName(for: keyPath)
  }
}

extension EntityInfo {
  /// Whether a key path is `persistentModelID` or its other name, `id`.
  func isIdentity(_ keyPath: AnyKeyPath) -> Bool { namesIdentity(keyPath) || isRequiredIdentity(keyPath) }

  private func namesIdentity(_ keyPath: AnyKeyPath) -> Bool {
    type.identityKeyPaths.contains(keyPath) || superentity?.namesIdentity(keyPath) ?? false
  }
}

extension PersistentModel {
  /// Without its type, `\Self.id` would be the requirement of `Identifiable`, which a model's own `id` may meet.
  static var identityKeyPaths: [AnyKeyPath] {
    [\Self.persistentModelID, \Self.id as KeyPath<Self, PersistentIdentifier>]
  }
}

extension Translator {
  /// What a row has at the end of a path.
  func term(_ path: [PropertyInfo], of row: RowTerm) -> Term {
    var term = Term.row(row)
    for property in path {
      switch term {
      case .row(let row): term = self.term(property, of: row)
      case .optional(let isNil, .row(let row)):
        term = chained(isNil, .row(row), self.term(property, of: row))
      default: return term
      }
    }
    return term
  }
}
