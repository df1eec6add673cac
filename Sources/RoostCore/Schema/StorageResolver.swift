/// Gives every property its column and every to-many relationship its column or join table.
struct StorageResolver {
  private let entities: [EntityInfo]
  private let tablePrefix: String
  private var tableNames: Set<String>
  private(set) var joinTables: [JoinTable] = []

  init(_ entities: [EntityInfo], tablePrefix: String) {
    self.entities = entities
    self.tablePrefix = tablePrefix
    tableNames = Set(entities.map { $0.table.foldedName })
  }

  mutating func resolve() {
    for root in entities where root.superentity == nil { nameColumns(of: root) }
    // Names must not depend on the order in which the program names its types.
    let sides = InverseResolver.sides(of: entities).sorted {
      ($0.entity.name, $0.property.name) < ($1.entity.name, $1.property.name)
    }
    for side in sides where !side.isToMany { side.relationship.storage = .column(side.property.details.column) }
    for side in sides where side.isToMany { place(side) }
    joinTables.sort { $0.name < $1.name }
  }

  /// Subclasses share a table, and two may have a property of the same name: the second gets its class's name too.
  private func nameColumns(of root: EntityInfo) {
    var taken: Set<String> = []
    for entity in root.selfAndDescendants.sorted(by: { ($0.depth, $0.name) < ($1.depth, $1.name) }) {
      for property in entity.ownProperties {
        if case .toMany = property.kind { continue }
        guard property.isStored else { continue }
        var column = property.name
        if taken.contains(column.foldedName) { column = "\(entity.name)_\(column)" }
        while !taken.insert(column.foldedName).inserted { column += "_" }
        property.details.column = column
      }
    }
  }

  private mutating func place(_ side: InverseResolver.Side) {
    let destination = side.relationship.destination
    if let inverse = side.relationship.inverse {
      let back = destination.properties[inverse]
      guard let other = back.relationship else { return }
      if let column = back.column {
        side.relationship.storage = .inverseColumn(column)
        return
      }
      if case .joinTable(let name, let own, let target) = other.storage {
        side.relationship.storage = .joinTable(name, own: target, other: own)
        return
      }
    }
    var name = tablePrefix + "\(side.entity.name)_\(side.property.name)"
    while !tableNames.insert(name.foldedName).inserted { name += "_" }
    let own = side.entity.name
    var other = side.property.name
    if other.foldedName == own.foldedName { other += "_" }
    side.relationship.storage = .joinTable(name, own: own, other: other)
    joinTables.append(
      JoinTable(
        name: name, owner: side.entity, ownerColumn: own, destination: destination, destinationColumn: other))
  }
}

extension EntityInfo {
  /// The number of superclasses that are models.
  fileprivate var depth: Int { (superentity?.depth ?? -1) + 1 }
}
