/// A change of existing rows.
package struct SQLUpdate: Hashable, Sendable {
  package var with: [SQLCommonTable] = []
  package var table: String
  package var alias: String?
  package var assignments: [SQLAssignment]
  /// Further tables that the new values or the condition read.
  package var from: SQLTable?
  package var joins: [SQLJoin] = []
  package var filter: SQLExpression?
  package var returning: [SQLResultColumn]

  package init(
    _ table: String, alias: String? = nil, set assignments: [SQLAssignment], where filter: SQLExpression?,
    returning: [SQLResultColumn] = []
  ) {
    self.table = table
    self.alias = alias
    self.assignments = assignments
    self.filter = filter
    self.returning = returning
  }
}

/// A removal of rows.
package struct SQLDelete: Hashable, Sendable {
  package var with: [SQLCommonTable] = []
  package var table: String
  package var alias: String?
  /// nil removes every row.
  package var filter: SQLExpression?
  package var returning: [SQLResultColumn]

  package init(
    from table: String, alias: String? = nil, where filter: SQLExpression?, returning: [SQLResultColumn] = []
  ) {
    self.table = table
    self.alias = alias
    self.filter = filter
    self.returning = returning
  }
}
