// Classes that inherit from each other share a table, whose type column says which class a row is of.
extension EntityInfo {
  /// The entity at the top of the inheritance chain, which may be this one.
  package var root: EntityInfo { superentity?.root ?? self }

  /// Whether the table has a column that tells the rows' types.
  package var isInHierarchy: Bool { superentity != nil || !subentities.isEmpty }

  /// Whether a row found as one of this entity may be of a subclass.
  package var isMixed: Bool { !subentities.isEmpty }

  /// This entity and all below it.
  package var selfAndDescendants: [EntityInfo] { [self] + subentities.flatMap(\.selfAndDescendants) }

  /// Whether the entity is `other` or inherits from it.
  package func isKind(of other: EntityInfo) -> Bool {
    self === other || superentity?.isKind(of: other) ?? false
  }

  /// The names in the type column of rows that are of this entity or one below it.
  package var typeNames: [String] { selfAndDescendants.map(\.name).sorted() }

  /// A unique constraint, and the entity that declares it: it holds for that one and those below it.
  struct Constraint {
    let owner: EntityInfo
    let properties: [IndexKey]

    /// What a save does with a new model whose values a row has.
    var policy: Schema.UniquenessPolicy {
      if let policy = owner.uniquenessPolicies[properties] { return policy }
      guard properties.count == 1 else { return .upsert }
      return owner.properties[properties[0].property].uniquenessPolicy
    }

    /// Whether the columns hold values of other entities' rows too, so that the types must be told apart.
    var isOfSome: Bool {
      owner.superentity != nil && properties.allSatisfy { owner.properties[$0.property].owner !== owner }
    }
  }

  /// The unique constraints that hold for the entity: those it inherits, then its own.
  var constraints: [Constraint] {
    (superentity?.constraints ?? []) + uniqueness.map { Constraint(owner: self, properties: $0) }
  }

  /// The columns that a query reads for models of this entity and those below it: the key, the type where rows may
  /// differ in it, and the properties that are asked for.
  package func columns(where isRead: (PropertyInfo) -> Bool = { _ in true }) -> [String] {
    let inherited = superentity?.properties ?? []
    let found = inherited + selfAndDescendants.flatMap(\.ownProperties)
    return [primaryKeyColumn] + (isMixed ? [entityNameColumn] : []) + found.filter(isRead).compactMap(\.column)
  }

  /// For each property the place of its column among those of a query, or why it has none.
  func positions(in columns: [String]) -> [Int32] {
    let places = Dictionary(
      columns.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { first, _ in first })
    return properties.map { property in
      guard property.isStored else { return _RowReader.notStored }
      return property.column.flatMap { places[$0] } ?? _RowReader.notRead
    }
  }
}
