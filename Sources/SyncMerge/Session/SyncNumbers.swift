/// The numbers that a zone has for a program's classes and fields, by the names that the program calls them.
package struct SyncNumbers: Hashable, Sendable, Codable {
  package struct Entity: Hashable, Sendable, Codable {
    package var number: Int
    package var fields: [String: Int]
    /// Those of the class and of the ones that inherit from it, where there are any.
    package var classes: [String: Int]

    package init(number: Int, fields: [String: Int] = [:], classes: [String: Int] = [:]) {
      (self.number, self.fields, self.classes) = (number, fields, classes)
    }
  }

  package var entities: [String: Entity]

  package init(entities: [String: Entity] = [:]) { self.entities = entities }
}

extension SyncNumbers {
  /// Those of these that others do not have; nil for none.
  package func without(_ others: SyncNumbers) -> SyncNumbers? {
    let rest = entities.compactMap { name, entity -> (String, Entity)? in
      guard let other = others.entities[name], other.number == entity.number else { return (name, entity) }
      let rest = Entity(
        number: entity.number, fields: entity.fields.filter { other.fields[$0.key] != $0.value },
        classes: entity.classes.filter { other.classes[$0.key] != $0.value })
      return rest.fields.isEmpty && rest.classes.isEmpty ? nil : (name, rest)
    }
    return rest.isEmpty ? nil : SyncNumbers(entities: Dictionary(uniqueKeysWithValues: rest))
  }

  /// Whether a server can give them.
  package var arePossible: Bool {
    entities.values.allSatisfy { entity in
      ([entity.number] + entity.fields.values + entity.classes.values).allSatisfy { (1...1 << 40).contains($0) }
    }
  }

  /// The field that tells which class a row is of, among those that inherit from one.
  package static let classField = 0
}
