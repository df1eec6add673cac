/// A new index.
package struct SQLCreateIndex: Hashable, Sendable {
  package var name: String
  package var isUnique: Bool
  package var ifNotExists: Bool
  package var table: String
  package var keys: [SQLOrder]
  /// Leaves out the rows that do not meet it.
  package var filter: SQLExpression?

  package init(
    _ name: String, on table: String, _ keys: [SQLOrder], isUnique: Bool = false, ifNotExists: Bool = false,
    where filter: SQLExpression? = nil
  ) {
    self.name = name
    self.table = table
    self.keys = keys
    self.isUnique = isUnique
    self.ifNotExists = ifNotExists
    self.filter = filter
  }

  /// An index over whole columns, ascending.
  package init(
    _ name: String, on table: String, columns: [String], isUnique: Bool = false, ifNotExists: Bool = false
  ) {
    self.init(name, on: table, columns.map { SQLOrder(.column($0)) }, isUnique: isUnique, ifNotExists: ifNotExists)
  }
}

/// A change of an existing table.
package enum SQLAlterTable: Hashable, Sendable {
  case rename(String, to: String)
  case renameColumn(table: String, from: String, to: String)
  case addColumn(table: String, SQLColumnDefinition)
  case dropColumn(table: String, String)
}

/// A removal from the schema.
package struct SQLDrop: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case table = "TABLE"
    case index = "INDEX"
    case trigger = "TRIGGER"
    case view = "VIEW"
  }

  package var kind: Kind
  package var name: String
  package var ifExists: Bool

  package init(_ kind: Kind, _ name: String, ifExists: Bool = false) {
    self.kind = kind
    self.name = name
    self.ifExists = ifExists
  }
}
