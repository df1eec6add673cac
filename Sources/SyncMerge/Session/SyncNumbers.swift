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
  /// Whether what both have a number for has the same.
  package func agree(with other: SyncNumbers) -> Bool {
    func agree(_ left: [String: Int], _ right: [String: Int]) -> Bool {
      left.allSatisfy { right[$0.key] ?? $0.value == $0.value }
    }
    return entities.allSatisfy { name, entity in
      guard let known = other.entities[name] else { return true }
      return known.number == entity.number && agree(entity.fields, known.fields) && agree(entity.classes, known.classes)
    }
  }

  /// These, and those of others for names that these have none for.
  package func adding(_ others: SyncNumbers) -> SyncNumbers {
    SyncNumbers(
      entities: entities.merging(others.entities) { own, other in
        Entity(
          number: own.number, fields: own.fields.merging(other.fields) { own, _ in own },
          classes: own.classes.merging(other.classes) { own, _ in own })
      })
  }

  /// The field that tells which class a row is of, among those that inherit from one.
  package static let classField = 0
}
