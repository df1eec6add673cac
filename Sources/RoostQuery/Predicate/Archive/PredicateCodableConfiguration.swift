internal import Foundation
public import RoostCore

#if !canImport(Darwin)
  /// Which key paths and types a predicate may have when it is encoded, and when it is decoded.
  ///
  /// ```swift
  /// var configuration = PredicateCodableConfiguration.standardConfiguration
  /// configuration.allowKeyPathsForProperties(of: Note.self)
  /// let data = try JSONEncoder().encode(predicate, configuration: configuration)
  /// let again = try JSONDecoder().decode(Predicate<Note>.self, from: data, configuration: configuration)
  /// ```
  /// What is not on the list is an error on both sides: data from elsewhere reaches no other property.
  /// Source: Foundation's type of that name, which it has on Apple platforms only.
  public struct PredicateCodableConfiguration: Sendable {
    private var keyPaths: [String: KeyPathKey] = [:]
    private var identifiers: [KeyPathKey: String] = [:]
    private var types: [String: any Any.Type] = [:]
    private var typeNames: [ObjectIdentifier: String] = [:]

    /// Makes a configuration that allows nothing yet.
    public init() {}

    /// Allows the scalar types that a property may have, and arrays, sets, dictionaries and ranges of what is allowed.
    public static let standardConfiguration: PredicateCodableConfiguration = {
      var configuration = PredicateCodableConfiguration()
      let types: [any Any.Type] = [
        Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
        UInt32.self, UInt64.self, Float.self, Double.self, String.self, Date.self, Data.self, UUID.self, URL.self,
        Decimal.self, ComparisonResult.self, PersistentIdentifier.self, PredicateExpressions.PredicateRegex.self,
      ]
      for type in types { configuration.allowType(type, identifier: "\(type)") }
      return configuration
    }()

    /// Allows a key path, and the type that it leads to. Another one of that identifier is no longer allowed.
    ///
    /// - Parameters:
    ///   - keyPath: the key path of a property.
    ///   - identifier: what stands for it in the encoded predicate.
    public mutating func allowKeyPath(_ keyPath: AnyKeyPath, identifier: String) {
      let key = KeyPathKey(keyPath: keyPath)
      disallowKeyPath(keyPath)
      if let other = keyPaths[identifier] { identifiers[other] = nil }
      keyPaths[identifier] = key
      identifiers[key] = identifier
      let type = CompositeFields.unwrapped(Swift.type(of: keyPath).valueType)
      if typeNames[ObjectIdentifier(type)] == nil, ArchivedType(type, name: name) == nil { allowType(type) }
    }

    /// Takes a key path off the list.
    public mutating func disallowKeyPath(_ keyPath: AnyKeyPath) {
      guard let identifier = identifiers.removeValue(forKey: KeyPathKey(keyPath: keyPath)) else { return }
      keyPaths[identifier] = nil
    }

    /// Allows values of a type.
    ///
    /// - Parameters:
    ///   - type: a `Codable` type.
    ///   - identifier: what stands for it in the encoded predicate; its name unless given.
    public mutating func allowType(_ type: Any.Type, identifier: String? = nil) {
      disallowType(type)
      let identifier = identifier ?? String(reflecting: type)
      if let other = types[identifier] { typeNames[ObjectIdentifier(other)] = nil }
      types[identifier] = type
      typeNames[ObjectIdentifier(type)] = identifier
    }

    /// Takes a type off the list.
    public mutating func disallowType(_ type: Any.Type) {
      guard let identifier = typeNames.removeValue(forKey: ObjectIdentifier(type)) else { return }
      types[identifier] = nil
    }

    func name(of type: Any.Type) -> String? { typeNames[ObjectIdentifier(type)] }
    func type(named identifier: String) -> Any.Type? { types[identifier] }
    func identifier(of keyPath: AnyKeyPath) -> String? { identifiers[KeyPathKey(keyPath: keyPath)] }
    func keyPath(_ identifier: String) -> AnyKeyPath? { keyPaths[identifier]?.keyPath }
  }
#endif

extension PredicateCodableConfiguration {
  /// Allows the stored properties of a model and of the models related to it, by names such as `Note.title`.
  ///
  /// Fields of `Codable` structs and properties computed from enums are not among them: allow each that a predicate may
  /// ask for.
  public mutating func allowKeyPathsForProperties(of model: any PersistentModel.Type) {
    var waiting: [any PersistentModel.Type] = [model]
    var seen: Set<ObjectIdentifier> = []
    while let next = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      allowType(next, identifier: "\(next)")
      if let superclass = next.modelSuperclass { waiting.append(superclass) }
      for property in next.namedPaths {
        allowKeyPath(property.keyPath, identifier: "\(next).\(property.name)")
        if let related = property.keyPath.relatedType as? any PersistentModel.Type { waiting.append(related) }
      }
    }
  }
}

extension AnyKeyPath {
  /// The type that a property refers to, without the optional or the list of models around it.
  var relatedType: Any.Type {
    let value = CompositeFields.unwrapped(Swift.type(of: self).valueType)
    return (value as? any RelationshipCollection.Type).map { $0.elementType } ?? value
  }
}

extension RelationshipCollection {
  fileprivate static var elementType: Any.Type { PersistentElement.self }
}
