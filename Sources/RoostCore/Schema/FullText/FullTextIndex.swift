package import RoostSQL

/// A full-text index of a table: which columns it has, and how it takes their texts apart.
package struct FullTextIndex: Hashable, Sendable {
  /// The name of the FTS5 table in the file.
  package let name: String
  /// The model's table.
  package let table: String
  package let columns: [String]
  package let tokenizer: FullTextTokenizer
  /// What the file remembers of it.
  package let definition: FullTextDefinition

  package init(
    name: String, table: String, columns: [String], tokenizer: FullTextTokenizer, definition: FullTextDefinition
  ) {
    self.name = name
    self.table = table
    self.columns = columns
    self.tokenizer = tokenizer
    self.definition = definition
  }

  /// In the file, or beside temporary rows of the table in a temporary one.
  package func syntax(temporaryTable: String? = nil) -> SQLFullTextIndex {
    SQLFullTextIndex(
      temporaryTable == nil ? name : pendingName, on: temporaryTable ?? table, key: primaryKeyColumn, columns: columns,
      tokenizer: tokenizer.definition, isTemporary: temporaryTable != nil)
  }

  /// The name of the temporary index of rows that are not saved.
  package var pendingName: String { "_roost_pending_" + name }

  /// The rows with a NUL in a column, behind which trigrams are not made: `contains` looks at all of them.
  package func truncatedRows(_ column: String) -> SQLCreateIndex {
    SQLCreateIndex(
      "\(name)_\(column)_nul", on: table, [SQLOrder(.column(primaryKeyColumn))], where: Self.hasNUL(column))
  }

  package static func hasNUL(_ column: String, in table: String? = nil) -> SQLExpression {
    .function(.instr, [.column(table: table, name: column), .function(SQLFunction("char"), [.literal(.integer(0))])])
  }
}

/// What the file remembers of a full-text index.
package struct FullTextDefinition: Codable, Hashable, Sendable {
  package var name: String
  package var properties: [String]
  package var tokenizer: String
}

extension EntityInfo {
  /// The full-text indexes of the whole table: an index of a subclass's has the superclass's rows, too.
  package var tableFullTextIndexes: [FullTextIndex] { root.selfAndDescendants.flatMap(\.fullTextIndexes) }
}
