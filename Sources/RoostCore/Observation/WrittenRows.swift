/// What a write changed, as far as whoever wrote it knows.
///
/// It is made only if somebody listens. Other programs' writes and restored backups may have changed anything.
package struct WrittenRows: Sendable {
  /// What became of the rows of one class.
  package struct Rows: Sendable {
    /// The keys of new rows.
    package var inserted: [Int64] = []
    /// The keys of changed rows, each with the properties that changed. A key may come several times.
    package var updated: [(key: Int64, properties: PropertySet)] = []
    /// The keys of deleted rows.
    package var deleted: [Int64] = []

    package init() {}

    package var count: Int { inserted.count + updated.count + deleted.count }
  }

  /// The rows that are known, by their classes' places in the schema.
  package private(set) var rows: [Int: Rows] = [:]
  /// The tables of which any row may have changed as well; nil when those are all.
  package private(set) var unknown: Set<String>?
  /// All tables that rows have changed in; nil when those may be all.
  package private(set) var tables: Set<String>?

  /// Any row of any table.
  package static let any = WrittenRows(unknown: nil)

  /// Any row of some tables; nil for all.
  package init(unknown tables: Set<String>?) { (unknown, self.tables) = (tables, tables) }

  /// How many rows are known to have changed.
  package var count: Int { rows.values.reduce(0) { $0 + $1.count } }

  /// Adds rows of a class.
  mutating func add(_ entity: EntityInfo, _ body: (inout Rows) -> Void) {
    body(&rows[entity.ordinal, default: Rows()])
    tables?.insert(entity.table)
  }
}

extension WrittenRows {
  /// What a save wrote. To be made before its context takes the save over: until then models know what changed.
  init(_ changes: SaveChanges, _ saved: SavedChanges, _ schema: SchemaInfo) {
    let deleted = changes.deleted.ordinals.map { schema.entities[$0] }
    // Foreign keys may have changed rows that refer to a deleted one, and that the context does not know of.
    var unknown = schema.tables(referringTo: Set(deleted.map(\.table)))
    // Partners, and rows that merged ones left, are found by the database.
    if saved.hasChangedOthers { unknown.formUnion(schema.tablesOfPartners) }
    self.init(unknown: unknown)
    for row in saved.rows {
      let entity = schema.entities[row.ordinal]
      add(entity) { rows in
        if row.isMerged {
          rows.updated.append((row.key, PropertySet(entity.properties.indices)))
        } else {
          rows.inserted.append(row.key)
        }
      }
    }
    for address in changes.updated.states {
      add(schema.entities[address.state.ordinal]) { $0.updated.append((address.state.key, address.state.changed)) }
    }
    for entity in deleted { add(entity) { $0.deleted += changes.deleted.keys(of: entity.ordinal) } }
    for list in changes.lists {
      add(schema.entities[list.owner._$state.ordinal]) { rows in
        rows.updated.append((saved.keys[list.ownerKey], [list.index]))
      }
    }
    for row in changes.joinRows.keys { addLinks(row.with(saved.keys), schema) }
  }

  /// A join row is a change of the list on either side.
  private mutating func addLinks(_ row: JoinRow, _ schema: SchemaInfo) {
    guard let table = schema.joinTables.first(where: { $0.name == row.table }) else { return }
    for (entity, column) in [(table.owner, table.ownerColumn), (table.destination, table.destinationColumn)] {
      if let list = table.list(of: entity, by: column) {
        add(entity) { $0.updated.append((row.key(in: column), [list.index])) }
      }
    }
  }

  /// The tables of rows that a save changed and its own context does not know of.
  func othersTables(_ schema: SchemaInfo, _ saved: SavedChanges) -> Set<String> {
    let merged = saved.rows.lazy.filter(\.isMerged).map { schema.entities[$0.ordinal].table }
    return (unknown ?? Set(schema.entities.map(\.table))).union(merged)
  }
}

extension SchemaInfo {
  /// The tables in which foreign keys change rows, or delete them, when rows of some tables are deleted.
  func tables(referringTo tables: Set<String>) -> Set<String> {
    var changed: Set<String> = []
    var waiting = Array(tables)
    while let table = waiting.popLast() {
      for entity in entities {
        for property in entity.relationships {
          guard property.column != nil, let relationship = property.relationship,
            relationship.destination.table == table, changed.insert(entity.table).inserted
          else { continue }
          // Wherever it leads, more than needed is told at worst.
          waiting.append(entity.table)
        }
      }
    }
    return changed
  }

  /// The tables of one-to-one relationships.
  fileprivate var tablesOfPartners: Set<String> {
    Set(entities.filter { !partners[$0.ordinal].isEmpty }.map(\.table))
  }
}
