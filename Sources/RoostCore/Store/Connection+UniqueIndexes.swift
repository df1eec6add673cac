import RoostEngine
import RoostSQL

extension Connection {
  /// Does something without unique indexes, which SQLite checks row by row: they must only hold at the end.
  package func withoutUniqueIndexes<Result>(of roots: [EntityInfo], _ body: () throws -> Result) throws -> Result {
    // Another program may have dropped some.
    let present = Set(try strings("SELECT name FROM main.sqlite_schema WHERE type = 'index'"))
    let indexes = roots.flatMap {
      TableDefinitions.indexes(for: $0).filter { $0.isUnique && present.contains($0.name) }
    }
    for index in indexes { try execute(SQLitePrinter.print(.drop(SQLDrop(.index, index.name))).sql) }
    let result = try body()
    for index in indexes { try execute(SQLitePrinter.print(.createIndex(index)).sql) }
    return result
  }
}
