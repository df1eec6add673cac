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
  /// The field that tells which class a row is of, among those that inherit from one.
  package static let classField = 0
}
