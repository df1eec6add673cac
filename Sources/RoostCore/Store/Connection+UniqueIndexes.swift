import RoostEngine
import RoostSQL

extension Connection {
  /// Does something without unique indexes, which SQLite checks row by row: they must only hold at the end.
  package func withoutUniqueIndexes<Result>(of roots: [EntityInfo], _ body: () throws -> Result) throws -> Result {
    let indexes = roots.flatMap { TableDefinitions.indexes(for: $0).filter(\.isUnique) }
    for index in indexes { try execute(SQLitePrinter.print(.drop(SQLDrop(.index, index.name))).sql) }
    let result = try body()
    for index in indexes { try execute(SQLitePrinter.print(.createIndex(index)).sql) }
    return result
  }
}
