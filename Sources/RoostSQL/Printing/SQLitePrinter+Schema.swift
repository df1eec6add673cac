extension SQLitePrinter {
  mutating func append(_ table: SQLCreateTable) {
    append(table.isTemporary ? "CREATE TEMPORARY TABLE " : "CREATE TABLE ")
    if table.ifNotExists { append("IF NOT EXISTS ") }
    appendName(table.name)
    append(" (\n  ")
    appendList(table.columns, separator: ",\n  ") { $0.append($1) }
    for constraint in table.constraints {
      append(",\n  ")
      append(constraint)
    }
    append("\n)")
    let options = (table.isStrict ? ["STRICT"] : []) + (table.isWithoutRowID ? ["WITHOUT ROWID"] : [])
    if !options.isEmpty { append(" " + options.joined(separator: ", ")) }
  }

  mutating func append(_ column: SQLColumnDefinition) {
    appendName(column.name)
    if let type = column.type { append(" \(type.rawValue)") }
    if column.isPrimaryKey { append(" PRIMARY KEY") }
    if column.isNotNull { append(" NOT NULL") }
    if column.isUnique { append(" UNIQUE") }
    if let value = column.defaultValue {
      append(" DEFAULT (")
      append(literal: value)
      append(")")
    }
    if let collation = column.collation { append(" COLLATE \(collation.name)") }
    if let check = column.check {
      append(" CHECK (")
      append(check)
      append(")")
    }
    if let reference = column.reference {
      append(" ")
      append(reference)
    }
  }

  private mutating func append(_ reference: SQLReference) {
    append("REFERENCES ")
    appendName(reference.table)
    if !reference.columns.isEmpty {
      append(" ")
      appendNames(reference.columns)
    }
    if let action = reference.onDelete { append(" ON DELETE \(action.rawValue)") }
    if let action = reference.onUpdate { append(" ON UPDATE \(action.rawValue)") }
    if reference.isInitiallyDeferred { append(" DEFERRABLE INITIALLY DEFERRED") }
  }

  private mutating func append(_ constraint: SQLTableConstraint) {
    switch constraint {
    case .primaryKey(let columns):
      append("PRIMARY KEY ")
      appendNames(columns)
    case .unique(let columns):
      append("UNIQUE ")
      appendNames(columns)
    case .check(let condition):
      append("CHECK (")
      append(condition)
      append(")")
    case .foreignKey(let columns, let reference):
      append("FOREIGN KEY ")
      appendNames(columns)
      append(" ")
      append(reference)
    }
  }

  mutating func append(_ index: SQLCreateIndex) {
    append(index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
    if index.ifNotExists { append("IF NOT EXISTS ") }
    appendName(index.name)
    append(" ON ")
    appendName(index.table)
    append(" (")
    appendList(index.keys) { $0.append($1) }
    append(")")
    append(" WHERE ", index.filter)
  }

  mutating func append(_ change: SQLAlterTable) {
    append("ALTER TABLE ")
    switch change {
    case .rename(let table, let name):
      appendName(table)
      append(" RENAME TO ")
      appendName(name)
    case .renameColumn(let table, let from, let to):
      appendName(table)
      append(" RENAME COLUMN ")
      appendName(from)
      append(" TO ")
      appendName(to)
    case .addColumn(let table, let column):
      appendName(table)
      append(" ADD COLUMN ")
      append(column)
    case .dropColumn(let table, let column):
      appendName(table)
      append(" DROP COLUMN ")
      appendName(column)
    }
  }

  mutating func append(_ drop: SQLDrop) {
    append("DROP \(drop.kind.rawValue) ")
    if drop.ifExists { append("IF EXISTS ") }
    appendName(drop.name)
  }
}
