/// What `#Unique`, `#Index` and `#FullText` say, without the model type.
protocol KeyPathLists {
  var uniqueKeyPaths: [[AnyKeyPath]] { get }
  var indexKeyPaths: [[AnyKeyPath]] { get }
  var rtreeKeyPaths: [[AnyKeyPath]] { get }
  var uniquenessPolicy: Schema.UniquenessPolicy? { get }
  var fullTextKeyPaths: [[AnyKeyPath]] { get }
  var fullTextTokenizer: FullTextTokenizer { get }
}

extension KeyPathLists {
  var uniqueKeyPaths: [[AnyKeyPath]] { [] }
  var indexKeyPaths: [[AnyKeyPath]] { [] }
  var rtreeKeyPaths: [[AnyKeyPath]] { [] }
  var uniquenessPolicy: Schema.UniquenessPolicy? { nil }
  var fullTextKeyPaths: [[AnyKeyPath]] { [] }
  var fullTextTokenizer: FullTextTokenizer { .unicode61 }
}

/// The names of a model type's properties by key path and back, for what is written to files.
struct PropertyNames<T: PersistentModel> {
  private let names: [AnyKeyPath: String]
  private let keyPaths: [String: PartialKeyPath<T>]

  init() {
    var names: [AnyKeyPath: String] = [:]
    var keyPaths: [String: PartialKeyPath<T>] = [:]
    for metadata in T.schemaMetadata {
      guard let keyPath = metadata.keyPath as? PartialKeyPath<T> else { continue }
      names[keyPath] = metadata.name
      keyPaths[metadata.name] = keyPath
    }
    self.names = names
    self.keyPaths = keyPaths
  }

  func names(_ list: [PartialKeyPath<T>], codingPath: [any CodingKey]) throws -> [String] {
    try list.map { keyPath in
      guard let name = name(keyPath) else {
        throw EncodingError.invalidValue(
          keyPath,
          .init(
            codingPath: codingPath,
            debugDescription: "\(keyPath) names no persisted property of \(Schema.entityName(for: T.self))."))
      }
      return name
    }
  }

  func keyPaths(_ list: [String], codingPath: [any CodingKey]) throws -> [PartialKeyPath<T>] {
    try list.map { name in
      guard let keyPath = keyPaths[name] else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: codingPath,
            debugDescription: "\(Schema.entityName(for: T.self)) has no persisted property \(name)."))
      }
      return keyPath
    }
  }

  func description(_ list: [PartialKeyPath<T>]) -> String {
    "[\(list.map { "\\.\(name($0) ?? "?")" }.joined(separator: ", "))]"
  }

  /// A property's name, or that of a field of a composite attribute: `address.city`.
  private func name(_ keyPath: PartialKeyPath<T>) -> String? {
    if let name = names[keyPath] { return name }
    let path = SchemaInfo.standalone(T.self)?.entity(for: T.self)?.fieldPath(for: keyPath)
    return path.map { ($0.properties.map(\.name) + $0.field.keys).joined(separator: ".") }
  }
}
