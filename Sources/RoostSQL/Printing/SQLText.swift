/// SQL ready to prepare: its text, and the values to bind from index 1 on.
package struct SQLText: Hashable, Sendable {
  package var sql: String
  package var arguments: [SQLValue]

  package init(sql: String, arguments: [SQLValue] = []) {
    self.sql = sql
    self.arguments = arguments
  }
}
