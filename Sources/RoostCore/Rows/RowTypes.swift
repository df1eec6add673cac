/// What the rows of a query may be when they are of several classes, by the name in their type column.
struct RowTypes: Sendable {
  /// For each property the result column it is in.
  let byName: [String: (entity: EntityInfo, columns: [Int32])]
  /// Whether the query reads all that is stored.
  let isWhole: Bool

  /// All columns of an entity and those below it.
  init(_ entity: EntityInfo) { self.init(entity, entity.columns(), isWhole: true) }

  /// Some columns.
  init(_ entity: EntityInfo, _ columns: [String]) { self.init(entity, columns, isWhole: false) }

  init(_ entity: EntityInfo, _ columns: [String], isWhole: Bool) {
    byName = Dictionary(
      entity.selfAndDescendants.map { ($0.name, ($0, $0.positions(in: columns))) },
      uniquingKeysWith: { first, _ in first })
    self.isWhole = isWhole
  }
}
