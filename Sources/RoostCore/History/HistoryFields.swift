package import RoostEngine

/// The numbers by which history knows entities and their properties, whatever they are called later.
package struct HistoryFields: Sendable {
  /// What an entity or a property is called now.
  package struct Name: Hashable, Sendable {
    /// The root's for a property: rows of all classes of a table have one bit for each property of any.
    let entity: String
    /// Empty for the entity itself.
    let property: String

    fileprivate init(entity: String, property: String) { (self.entity, self.property) = (entity, property) }

    package init(_ property: PropertyInfo) {
      self.init(entity: property.owner.root.name, property: "\(property.owner.name).\(property.name)")
    }
  }

  /// More entities, or properties of one, no schema has ever had.
  private static let largestNumber: Int64 = 1 << 16

  private var numbers: [Name: Int64] = [:]

  package init(_ connection: Connection) throws {
    let statement = try connection.statement("SELECT entity, name, number FROM _roost_field")
    defer { statement.reset() }
    while try statement.step() {
      // Not what any program has written that keeps to this: such a name gets another number.
      guard (0...Self.largestNumber).contains(statement.int64(2)) else { continue }
      numbers[Name(entity: statement.string(0), property: statement.string(1))] = statement.int64(2)
    }
  }

  package func number(of entity: EntityInfo) -> Int64? { numbers[Name(entity: entity.name, property: "")] }

  package func number(of property: PropertyInfo) -> Int64? { number(of: Name(property)) }

  func number(of name: Name) -> Int64? { numbers[name] }

  /// Gives numbers to what has none, and new names to what was renamed; false if there is nothing. `formerNames` are those
  /// that entities had before a migration, by their present ones.
  mutating func complete(_ schema: SchemaInfo, formerNames: [String: String] = [:]) -> Bool {
    var names: [(now: Name, formerly: Name)] = []
    for entity in schema.entities {
      let (root, former) = (entity.root.name, formerNames[entity.name] ?? entity.name)
      names.append((Name(entity: entity.name, property: ""), Name(entity: former, property: "")))
      for property in entity.ownProperties {
        let formerly = Name(entity: formerNames[root] ?? root, property: "\(former).\(property.originalName)")
        names.append((Name(entity: root, property: "\(entity.name).\(property.name)"), formerly))
      }
    }
    var isChanged = false
    // What was renamed comes first: its former name may be another's by now.
    for name in names.filter({ $0.now != $0.formerly }) + names.filter({ $0.now == $0.formerly }) {
      if numbers[name.now] != nil { continue }
      isChanged = true
      numbers[name.now] = numbers.removeValue(forKey: name.formerly) ?? nextNumber(beside: name.now)
    }
    return isChanged
  }

  /// Entities are counted among each other, and the properties of a table. Never a number that something had which is gone.
  private func nextNumber(beside name: Name) -> Int64 {
    let others = numbers.filter { other, _ in
      other.property.isEmpty == name.property.isEmpty && (name.property.isEmpty || other.entity == name.entity)
    }
    return (others.values.max() ?? -1) + 1
  }

  func store(_ connection: Connection) throws {
    try connection.execute("DELETE FROM _roost_field")
    for (name, number) in numbers {
      let statement = try connection.statement("INSERT INTO _roost_field (entity, name, number) VALUES (?, ?, ?)")
      statement.bind(name.entity, at: 1)
      statement.bind(name.property, at: 2)
      statement.bind(number, at: 3)
      try statement.run()
    }
  }
}
