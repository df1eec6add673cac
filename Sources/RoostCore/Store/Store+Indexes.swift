import Logging
import RoostEngine
import RoostSQL
import Synchronization

// Indexes that are made when they are needed.
//
// Keeping an index while its table grows costs several times what making it afterwards does. So the save that puts the
// first thousand rows into a table drops its plain indexes, and whoever needs them first has them made: a query, a
// deletion, or the end of the container. Those that the save itself asks by for each row stay. What a program that
// crashes in between leaves undone is done by the next one.
extension Store {
  /// From how many first rows on a table's indexes wait.
  static var bulkSize: Int64 { 1_000 }

  /// Makes the missing indexes of some tables; of all without a list.
  ///
  /// A failure is only logged: a query without its index is slow, not wrong.
  package func ensureIndexes(of tables: Set<String>? = nil) {
    // A migration drops none, and makes in its end those of tables that change.
    if pool.isShared { return }
    let missing = missingIndexes.withLock { $0 }
    if missing.isEmpty { return }
    let entities = missing.map { schema.entities[$0] }.filter { tables?.contains($0.table) ?? true }
    if entities.isEmpty { return }
    do {
      try pool.write { connection in
        // SQLite sorts in pieces that fit into the processor's cache when it may put them into files, and all at once
        // when it may not: 1.3 s against 2.2 s for five indexes over 337,000 rows. Nothing may hold a temporary table.
        try connection.sortInFiles(true)
        defer { try? connection.sortInFiles(false) }
        try connection.transaction(.immediate) {
          for index in entities.flatMap({ TableDefinitions.plainIndexes(for: $0) }) {
            try connection.execute(SQLitePrinter.print(.createIndex(index)).sql)
          }
          try schemaGuard.accept(connection)
        }
      }
      missingIndexes.withLock { $0.subtract(entities.map(\.ordinal)) }
    } catch {
      logger.warning("Making indexes failed", metadata: ["error": "\(error)"])
    }
  }

  /// The entities whose tables lack an index.
  func entitiesWithoutIndexes() throws -> Set<Int> {
    let present = try pool.read { Set(try $0.strings("SELECT name FROM sqlite_schema WHERE type = 'index'")) }
    let entities = schema.entities.filter { entity in
      TableDefinitions.plainIndexes(for: entity).contains { !present.contains($0.name) }
    }
    return Set(entities.map(\.ordinal))
  }
}

extension SaveWriter {
  /// Drops the plain indexes of the tables that this save fills from empty, but for those that it asks by itself.
  mutating func deferIndexes() throws {
    // Nobody makes them for what the code of a stage asks next.
    if store.pool.isShared { return }
    for keys in handedOut where keys.first == 1 && keys.last >= Store.bulkSize {
      let root = store.schema.entities[keys.root]
      let asked = store.schema.keysAskedBySaves(of: root)
      let indexes = TableDefinitions.plainIndexes(for: root).filter { !asked.contains($0.keys) }
      if indexes.isEmpty { continue }
      for index in indexes {
        try connection.execute(SQLitePrinter.print(.drop(SQLDrop(.index, index.name, ifExists: true))).sql)
      }
      saved.withoutIndexes.insert(keys.root)
    }
    if !saved.withoutIndexes.isEmpty { try store.schemaGuard.accept(connection) }
  }
}

extension SchemaInfo {
  /// The keys of indexes by which a save finds rows of a root's table: former partners, and
  /// members of lists that have bounds.
  fileprivate func keysAskedBySaves(of root: EntityInfo) -> Set<[SQLOrder]> {
    var columns = root.selfAndDescendants.flatMap { partners[$0.ordinal].compactMap(\.column) }
    for relationship in entities.flatMap(\.boundedLists).compactMap(\.relationship)
    where relationship.destination.root === root {
      if case .inverseColumn(let column) = relationship.storage { columns.append(column) }
    }
    return Set(columns.map { [SQLOrder(.column($0))] })
  }
}
