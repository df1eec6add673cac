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

    /// What something of the name is called that is gone, once the name is another's.
    fileprivate func ofGone(_ number: Int64) -> Name {
      property.isEmpty
        ? Name(entity: "\(entity) \(number)", property: "")
        : Name(entity: entity, property: "\(property) \(number)")
    }

    /// An entity's own.
    package init(_ entity: String) { self.init(entity: entity, property: "") }

    /// That of a property which `owner` declares, in the table of `root`.
    package init(_ property: String, of owner: String, root: String) {
      self.init(entity: root, property: "\(owner).\(property)")
    }

    package init(_ property: PropertyInfo) {
      self.init(property.name, of: property.owner.name, root: property.owner.root.name)
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

  package func number(of entity: EntityInfo) -> Int64? { numbers[Name(entity.name)] }

  package func number(of property: PropertyInfo) -> Int64? { number(of: Name(property)) }

  func number(of name: Name) -> Int64? { numbers[name] }

  /// Gives numbers to what has none; false if there is nothing. `former` is what names were before a migration.
  mutating func complete(_ schema: SchemaInfo, former: [Name: Name] = [:]) -> Bool {
    let names = schema.entities.flatMap { [Name($0.name)] + $0.ownProperties.map { Name($0) } }
    // All are taken before any is given: names may have been exchanged, or be something new's by now.
    var taken: [(name: Name, number: Int64)] = []
    for name in names {
      if let old = former[name], old != name, let number = numbers.removeValue(forKey: old) {
        taken.append((name, number))
      }
    }
    // What is gone of a table goes on to have had its number there: of that of a superclass, if there is one now.
    let tables = Dictionary(
      former.sorted { !$0.key.property.isEmpty && $1.key.property.isEmpty }.map { ($0.value.entity, $0.key.entity) },
      uniquingKeysWith: { first, _ in first })
    let former = numbers
    numbers = [:]
    for (name, number) in former {
      let table = name.property.isEmpty ? nil : tables[name.entity]
      numbers[Name(entity: table ?? name.entity, property: name.property)] = number
    }
    for (name, number) in taken {
      // The name may be that of something gone, whose number must not become another's.
      if let gone = numbers[name] { numbers[name.ofGone(gone)] = gone }
      let isFree = !numbers.contains { $0.value == number && Self.areBesideEachOther($0.key, name) }
      numbers[name] = isFree ? number : nextNumber(beside: name)
    }
    var isChanged = !taken.isEmpty
    for name in names where numbers[name] == nil {
      isChanged = true
      numbers[name] = nextNumber(beside: name)
    }
    return isChanged
  }

  /// Entities are counted among each other, and the properties of a table. Never a number
  /// that something had which is gone.
  private func nextNumber(beside name: Name) -> Int64 {
    (numbers.filter { Self.areBesideEachOther($0.key, name) }.values.max() ?? -1) + 1
  }

  private static func areBesideEachOther(_ name: Name, _ other: Name) -> Bool {
    name.property.isEmpty ? other.property.isEmpty : !other.property.isEmpty && other.entity == name.entity
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
