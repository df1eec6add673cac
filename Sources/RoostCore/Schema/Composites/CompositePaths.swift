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
    let found = steps(of: keyPath).flatMap { field(at: keyPath, $0) }
    fieldPaths.withLock { $0[key] = .some(found) }
    return found
  }

  private func field(at keyPath: AnyKeyPath, _ steps: KeyPathProperties) -> FieldPath? {
    let wanted = keyPath.orderedType ?? CompositeFields.unwrapped(Swift.type(of: keyPath).valueType)
    guard let type = steps.properties.last?.compositeType, steps.fields.allSatisfy(\.isField),
      let names = keyPath.fieldNames(steps.fields.count), let field = CompositePath.find(names, in: type),
      field.type == wanted
    else { return nil }
    return FieldPath(properties: steps.properties, field: field)
  }

  /// Why a query cannot look into the attribute that a key path begins with; nil when it begins with none such.
  package func opacity(of keyPath: AnyKeyPath) -> String? { steps(of: keyPath)?.properties.first?.opacity }
}

extension AnyKeyPath {
  /// The names of the last stored properties, as the description has them: `?.geo?.lat?`.
  ///
  /// nil for none, and when a name is not known at run time.
  fileprivate func fieldNames(_ count: Int) -> [String]? {
    var text = "\(self)"[...]
    // The step to another order.
    if orderedType != nil, let step = text.range(of: ".<computed", options: .backwards) {
      text = text[..<step.lowerBound]
    }
    let names = text.split(separator: ".").suffix(count).map { $0.filter { $0 != "?" && $0 != "!" } }
    return names.isEmpty || names.contains { $0.contains { "<>()[] ".contains($0) } } ? nil : names
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
