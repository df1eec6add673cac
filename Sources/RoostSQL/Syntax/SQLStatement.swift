/// Any statement, for what treats them alike.
package enum SQLStatement: Hashable, Sendable {
  case select(SQLSelect)
  case insert(SQLInsert)
  case update(SQLUpdate)
  case delete(SQLDelete)
  case createTable(SQLCreateTable)
  case createIndex(SQLCreateIndex)
  case alterTable(SQLAlterTable)
  case drop(SQLDrop)
}
