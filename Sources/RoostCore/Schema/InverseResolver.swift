/// Finds for each relationship the one that refers back: as declared on either side, else the only one there can be.
struct InverseResolver {
  /// A relationship as its own entity declares it.
  struct Side {
    let entity: EntityInfo
    let property: PropertyInfo
    let relationship: RelationshipInfo

    var name: String { "\(entity.name).\(property.name)" }
    var isToMany: Bool { if case .toMany = property.kind { true } else { false } }
    /// Whether an inverse may be inferred.
    var isOpen: Bool { relationship.inverse == nil && !relationship.isUnidirectional }

    func isSame(as other: Side) -> Bool { relationship === other.relationship }
  }

  private let sides: [Side]
  private(set) var problems: [SwiftDataError] = []

  init(_ entities: [EntityInfo]) {
    sides = Self.sides(of: entities)
  }

  static func sides(of entities: [EntityInfo]) -> [Side] {
    entities.flatMap { entity in
      entity.ownProperties.compactMap { property in
        property.relationship.map { Side(entity: entity, property: property, relationship: $0) }
      }
    }
  }

  mutating func resolve() {
    for side in sides { connectDeclared(side) }
    for side in sides { connectInferred(side) }
  }

  // MARK: Declared

  private mutating func connectDeclared(_ side: Side) {
    guard let keyPath = side.relationship.declaredInverse else { return }
    let destination = side.relationship.destination
    guard let other = sides.first(where: { $0.property.keyPath == keyPath }) else {
      report(
        side, "The inverse that it declares is no relationship of \(destination.name).",
        "Name a property of \(destination.name) whose type is \(side.entity.name), an optional or an array of it.")
      return
    }
    // Exactly: in a list of a superclass's models some would lack the property, and in one of a subclass's some that
    // refer here would be missing.
    guard other.entity === destination, other.relationship.destination === side.entity else {
      report(
        side,
        "It refers to \(destination.name), but the inverse that it declares is \(other.entity.name).\(other.name), which refers"
          + " to \(other.relationship.destination.name).",
        "Name a property of \(destination.name) that refers to \(side.entity.name).")
      return
    }
    if other.relationship.isUnidirectional {
      report(
        side, "It declares \(other.name) as its inverse, but that one declares to have none.",
        "Remove `inverse: nil` from \(other.name), or write `inverse: nil` here too.")
    } else if let taken = other.relationship.inverse, taken != side.property.index {
      let rival = other.relationship.destination.properties[taken].name
      report(
        side, "It declares \(other.name) as its inverse, which already is that of \(side.entity.name).\(rival).",
        "Declare another inverse for one of the two.")
    } else if let declared = other.relationship.declaredInverse, declared != side.property.keyPath {
      report(
        side, "It declares \(other.name) as its inverse, which declares another.",
        "Declare the inverse on one side only.")
    } else {
      connect(side, other)
    }
  }

  // MARK: Inferred

  private mutating func connectInferred(_ side: Side) {
    guard side.isOpen else { return }
    let destination = side.relationship.destination
    let back = sides.filter { $0.isOpen && $0.entity === destination && $0.relationship.destination === side.entity }
    if destination === side.entity {
      connectTree(side, among: back)
      return
    }
    let rivals = sides.filter {
      $0.isOpen && $0.entity === side.entity && $0.relationship.destination === destination
    }
    guard let only = back.first else { return }
    if back.count == 1, rivals.count == 1 {
      connect(side, only)
    } else {
      reportAmbiguous(side, rivals: rivals, candidates: back)
    }
  }

  /// A model that refers to its own kind: one parent and many children belong together. Two properties of the same
  /// shape, a mother and a father, do not: taking them for inverses would change one with the other.
  private mutating func connectTree(_ side: Side, among candidates: [Side]) {
    let toMany = candidates.filter(\.isToMany)
    let toOne = candidates.filter { !$0.isToMany }
    guard let children = toMany.first, let parent = toOne.first else { return }
    if toMany.count == 1, toOne.count == 1 {
      connect(parent, children)
    } else {
      reportAmbiguous(side, rivals: [side], candidates: side.isToMany ? toOne : toMany)
    }
  }

  private mutating func connect(_ side: Side, _ other: Side) {
    side.relationship.inverse = other.property.index
    side.relationship.inverseIsToOne = !other.isToMany
    other.relationship.inverse = side.property.index
    other.relationship.inverseIsToOne = !side.isToMany
  }

  private mutating func reportAmbiguous(_ side: Side, rivals: [Side], candidates: [Side]) {
    let names = candidates.map(\.name).joined(separator: ", ")
    let example = candidates.first.map { "\\\($0.name)" } ?? "…"
    let others = rivals.filter { !$0.isSame(as: side) }.map { " \($0.name) leads there too." }.joined()
    report(
      side, "Its inverse is ambiguous: it could be any of \(names).\(others)",
      "Declare it with @Relationship(inverse: \(example)), or write `inverse: nil` for none.")
  }

  private mutating func report(_ side: Side, _ message: String, _ remedy: String) {
    problems.append(
      .invalidSchema(model: side.entity.name, property: side.property.name, message, remedy: remedy))
  }
}
