extension SQLitePrinter {
  /// The statements that make an index, each with the name of what it makes: the FTS5 table, then the triggers.
  ///
  /// They are spelled as SQLite keeps them in its schema table.
  package static func print(_ index: SQLFullTextIndex) -> [(name: String, sql: String)] {
    [(index.name, text(literals: true) { $0.appendTable(index) }.sql)]
      + SQLFullTextIndex.Event.allCases.map { event in
        (index.trigger(event), text(literals: true) { $0.appendTrigger(event, index) }.sql)
      }
  }

  /// Makes the index of what the table has now.
  package static func rebuild(_ index: SQLFullTextIndex) -> String {
    text(literals: true) {
      $0.append("INSERT INTO ")
      $0.appendNames([index.name], of: index.name)
      $0.append(" VALUES ('rebuild')")
    }.sql
  }

  private mutating func appendTable(_ index: SQLFullTextIndex) {
    append("CREATE VIRTUAL TABLE ")
    if index.isTemporary { append("temp.") }
    appendName(index.name)
    append(" USING fts5(")
    appendList(index.columns) { $0.appendName($1) }
    for (option, value) in [("content", index.table), ("content_rowid", index.key), ("tokenize", index.tokenizer)] {
      append(", \(option)=")
      append(literal: .text(value))
    }
    append(")")
  }

  private mutating func appendTrigger(_ event: SQLFullTextIndex.Event, _ index: SQLFullTextIndex) {
    append(index.isTemporary ? "CREATE TEMP TRIGGER " : "CREATE TRIGGER ")
    appendName(index.trigger(event))
    append(" AFTER \(event.rawValue.uppercased())")
    if event == .update {
      append(" OF ")
      appendList([index.key] + index.columns) { $0.appendName($1) }
    }
    append(" ON ")
    appendName(index.table)
    append(" BEGIN")
    if event != .insert {
      append(" INSERT INTO ")
      appendNames([index.name, "rowid"] + index.columns, of: index.name)
      append(" VALUES ('delete', ")
      appendRow("old", index)
      append(");")
    }
    if event != .delete {
      append(" INSERT INTO ")
      appendNames(["rowid"] + index.columns, of: index.name)
      append(" VALUES (")
      appendRow("new", index)
      append(");")
    }
    append(" END")
  }

  private mutating func appendNames(_ columns: [String], of table: String) {
    appendName(table)
    append(" ")
    appendNames(columns)
  }

  private mutating func appendRow(_ row: String, _ index: SQLFullTextIndex) {
    appendList([index.key] + index.columns) { $0.append(SQLExpression.column(row, $1)) }
  }
}
