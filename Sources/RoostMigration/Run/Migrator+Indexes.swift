import RoostCore
import RoostEngine
import RoostSQL

extension Migrator {
  /// Makes the indexes that are missing, and drops those of ours that the schema does not have any more.
  ///
  /// - Throws: `SwiftDataError` with what is not unique that steps and code have made; before, it could not be seen.
  func makeIndexes(besides foreign: ForeignObjects) throws {
    let texts = TableDefinitions.indexes(of: schema).filter { !waitsForCode($0) }.map {
      (name: $0.name, sql: SQLitePrinter.print(.createIndex($0)).sql)
    }
    let present = try foreign.ownIndexes(connection)
    for (name, sql) in present where !texts.contains(where: { $0 == (name, sql) }) {
      try run(.drop(SQLDrop(.index, name)))
    }
    for (name, sql) in texts where present[name] != sql {
      do {
        try connection.execute(sql)
      } catch {
        let obstacles = try uniquenessChecks().compactMap { try $0.obstacle(connection) }
        if obstacles.isEmpty { throw error }
        throw SwiftDataError.obstacles(obstacles, url: nil)
      }
    }
  }

  /// Whether a unique index is of what the code of a stage has yet to set.
  private func waitsForCode(_ index: SQLCreateIndex) -> Bool {
    guard index.isUnique, withBoth == nil else { return false }
    let text = SQLitePrinter.print(.createIndex(index)).sql
    return gaps.compactMap(\.gap).contains { property in
      property.owner.table == index.table && text.contains(quotedIdentifier(property.column ?? ""))
    }
  }

  private func uniquenessChecks() -> [MigrationCheck] {
    schema.entities.flatMap { entity in
      entity.uniqueness.compactMap { keys in
        MigrationCheck(
          unique: keys, in: entity, rows: .table(entity.table, alias: MigrationCheck.given),
          remedy: "Have the steps and the code of the stage make values that differ.")
      }
    }
  }
}
