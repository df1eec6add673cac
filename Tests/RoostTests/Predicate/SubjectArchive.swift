import Foundation
import Roost

/// Predicates about `Subject`, encoded and decoded.
struct SubjectArchive {
  private(set) var configuration: PredicateCodableConfiguration = {
    var configuration = PredicateCodableConfiguration.standardConfiguration
    configuration.allowKeyPathsForProperties(of: Subject.self)
    func allow<Value: Asked>(_ type: Value.Type) {
      for (index, path) in Value.fields.enumerated() {
        configuration.allowKeyPath(path, identifier: "Packed.\(type).\(index)")
      }
      for (index, path) in Value.maybeFields.enumerated() {
        configuration.allowKeyPath(path, identifier: "Packed.\(type)?.\(index)")
      }
      for (index, path) in Value.innerFields.enumerated() {
        configuration.allowKeyPath(path, identifier: "Packed.Inner.\(type).\(index)")
      }
    }
    for type in askedTypes { allow(type) }
    configuration.allowKeyPath(\Packed.inner, identifier: "Packed.inner")
    configuration.allowKeyPath(\Place.city, identifier: "Place.city")
    configuration.allowKeyPath(\Place.code, identifier: "Place.code")
    configuration.allowKeyPath(\Level.title, identifier: "Level.title")
    configuration.allowKeyPath(\Kind.rawValue, identifier: "Kind.rawValue")
    return configuration
  }()

  /// nil for a predicate with a captured model, or with a value that JSON does not have.
  func again(_ predicate: Predicate<Subject>) throws -> Predicate<Subject>? {
    let data: Data
    do {
      data = try JSONEncoder().encode(predicate, configuration: configuration)
    } catch EncodingError.invalidValue(let value, _) where value is _ModelConstant<Owner> {
      return nil
    }
    return try JSONDecoder().decode(Predicate<Subject>.self, from: data, configuration: configuration)
  }
}
