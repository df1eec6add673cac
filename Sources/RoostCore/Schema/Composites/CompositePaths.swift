internal import Foundation
internal import Synchronization

/// The places that key paths of `Codable` structs lead to, found once.
package enum CompositePaths {
  private static let known = Mutex<[KeyPathKey: CompositePath?]>([:])

  package static func path(_ keyPath: AnyKeyPath) -> CompositePath? {
    let key = KeyPathKey(keyPath: keyPath)
    if let path = known.withLock({ $0[key] }) { return path }
    let path = CompositePath.find(keyPath)
    known.withLock { $0[key] = .some(path) }
    return path
  }
}

/// Where a key path of a model leads inside a composite attribute.
package struct FieldPath: Sendable {
  /// The properties that the key path passes through, the last being the composite attribute.
  package let properties: [PropertyInfo]
  package let field: CompositePath
}

extension EntityInfo {
  /// What `\Person.address.city` names: the attribute, and the place in its JSON. nil for all other key paths.
  package func fieldPath(for keyPath: AnyKeyPath) -> FieldPath? {
    let key = KeyPathKey(keyPath: keyPath)
    if let known = fieldPaths.withLock({ $0[key] }) { return known }
    let wanted = keyPath.orderedType ?? CompositeFields.unwrapped(Swift.type(of: keyPath).valueType)
    let found = composites(on: keyPath).lazy.compactMap { path, rest -> FieldPath? in
      guard let type = path.last?.compositeType, let names = FieldNames(rest),
        let field = CompositePath.find(names.names, in: type), field.type == wanted
      else { return nil }
      return FieldPath(properties: path, field: field)
    }.first
    fieldPaths.withLock { $0[key] = .some(found) }
    return found
  }

  /// The attributes that a key path begins with, each with what follows as the key path's description has it.
  private func composites(on keyPath: AnyKeyPath) -> [(path: [PropertyInfo], rest: Substring)] {
    var text = "\(keyPath)"
    // The step to another order.
    if keyPath.orderedType != nil, let step = text.range(of: ".<computed", options: .backwards) {
      text = String(text[..<step.lowerBound])
    }
    return attributePaths(in: Swift.type(of: keyPath).rootType).compactMap { candidate in
      candidate.keyPath.rest(in: text).map { (candidate.path, $0) }
    }
  }

  /// Why a query cannot look into the attribute that a key path begins with; nil when it begins with none such.
  package func opacity(of keyPath: AnyKeyPath) -> String? {
    properties.lazy.filter { $0.keyPath.rest(in: "\(keyPath)") != nil }.compactMap(\.opacity).first
  }
}

extension AnyKeyPath {
  /// What follows in another key path's description, when that one begins with this.
  fileprivate func rest(in text: String) -> Substring? {
    var start = "\(self)"
    while start.last == "?" { start.removeLast() }
    return text.hasPrefix(start) ? text.dropFirst(start.count) : nil
  }
}

extension PropertyInfo {
  /// The struct that is kept as JSON, without the optional around it; nil for other properties.
  var compositeType: (any Any.Type)? {
    guard case .attribute(let codec) = kind, codec.semantics == .json else { return nil }
    func type<Codec: _AttributeCodec>(_ codec: Codec.Type) -> any Any.Type { Codec.Value.self }
    let value = CompositeFields.unwrapped(type(codec))
    return CompositeFields.of(value).isEmpty ? nil : value
  }
}

/// The names of stored properties at the end of a key path's description: `?.geo?.lat?`.
private struct FieldNames {
  let names: [String]

  /// nil when one of them is computed, or its name is not known at run time.
  init?(_ text: Substring) {
    names = text.filter { $0 != "?" }.split(separator: ".").map(String.init)
    guard text.contains("."), !names.isEmpty, text.allSatisfy({ !"<>!()[] ".contains($0) }) else { return nil }
  }
}
