import RoostEngine

/// What a write changed.
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

    fileprivate var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    fileprivate func includes(_ key: Int64) -> Bool {
      updated.contains { $0.key == key } || inserted.contains(key) || deleted.contains(key)
    }

    fileprivate mutating func add(_ others: Rows) {
      inserted += others.inserted
      updated += others.updated
      deleted += others.deleted
    }
  }

  /// Of more rows nobody wants to know each.
  static let mostRows = 4_096

  /// The rows that are known, by their classes' places in the schema.
  package private(set) var rows: [Int: Rows] = [:]
  /// How many those are.
  package private(set) var count = 0
  /// The tables of which any row may have changed as well; nil when those are all.
  package private(set) var unknown: Set<String>?
  /// All tables that rows have changed in; nil when those may be all.
  package private(set) var tables: Set<String>?
  /// Whether a relationship may be another one.
  private(set) var changesRelationships = false

  /// Any row of any table.
  package static let any = WrittenRows(unknown: nil)

  /// Any row of some tables; nil for all.
  package init(unknown tables: Set<String>?) {
    (unknown, self.tables) = (tables, tables)
    changesRelationships = tables.map { !$0.isEmpty } ?? true
  }

  /// Whether a row of one of these classes is known to have changed.
  func includes(_ key: Int64, of ordinals: Set<Int>) -> Bool {
    rows.contains { ordinals.contains($0.key) && $0.value.includes(key) }
  }

  /// Adds any row of some tables.
  mutating func addUnknown(_ tables: Set<String>) {
    if tables.isEmpty { return }
    unknown?.formUnion(tables)
    self.tables?.formUnion(tables)
    changesRelationships = true
  }

  /// Adds rows of a class that changed alike: a first key each, and how many follow. Too many are the whole table.
  mutating func add(
    _ kind: RowChangeLog.Kind, _ entity: EntityInfo, _ rows: some Sequence<(Int64, Int64)>,
    _ properties: PropertySet = []
  ) {
    tables?.insert(entity.table)
    changesRelationships =
      changesRelationships
      || (kind == .updated
        ? entity.relationships.contains { properties.contains($0.index) }
        : !entity.relationships.isEmpty || entity.isReferenced)
    var known = Rows()
    for (key, count) in rows {
      self.count += Int(count)
      if self.count > Self.mostRows { continue }
      let keys = (0..<count).lazy.map { key + $0 }
      switch kind {
      case .inserted: known.inserted += keys
      case .updated: known.updated += keys.map { ($0, properties) }
      case .deleted: known.deleted += keys
      }
    }
    if self.count > Self.mostRows { unknown?.insert(entity.table) }
    if !known.isEmpty { self.rows[entity.ordinal, default: Rows()].add(known) }
  }
}

extension SchemaInfo {
  private struct Row: Hashable {
    let ordinal: Int
    let key: Int64
  }

  /// The tables of rows that a save changed and its own context does not know of. To be asked before that takes the
  /// save over: until then models know what changed.
  func tablesOfOthers(_ changes: SaveChanges, _ saved: SavedChanges) -> Set<String> {
    guard let written = saved.recorded.written, var tables = written.unknown else { return Set(entities.map(\.table)) }
    let inserted = Set(saved.rows.lazy.filter { !$0.isMerged }.map { Row(ordinal: $0.ordinal, key: $0.key) })
    var updated: [Row: PropertySet] = [:]
    for address in changes.updated.states {
      updated[Row(ordinal: address.state.ordinal, key: address.state.key)] = address.state.changed
    }
    for (ordinal, rows) in written.rows where !tables.contains(entities[ordinal].table) {
      let entity = entities[ordinal]
      let deleted = Set(changes.deleted.keys(of: ordinal))
      let relationships = PropertySet(entity.relationships.map(\.index))
      let lists = PropertySet(entity.relationships.lazy.filter(\.isList).map(\.index))
      let isKnown =
        rows.inserted.allSatisfy { inserted.contains(Row(ordinal: ordinal, key: $0)) }
        && rows.deleted.allSatisfy(deleted.contains)
        && rows.updated.allSatisfy { key, properties in
          let row = Row(ordinal: ordinal, key: key)
          // What a new row refers to may have got its key after it.
          let known = inserted.contains(row) ? relationships : updated[row] ?? []
          return properties.subtracting(lists).subtracting(known).isEmpty
        }
      if !isKnown { tables.insert(entity.table) }
    }
    return tables
  }

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
}
