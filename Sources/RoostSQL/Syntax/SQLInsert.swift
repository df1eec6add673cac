/// An insertion of rows.
package struct SQLInsert: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case rows([[SQLExpression]])
    case select(SQLSelect)
  }

  package var with: [SQLCommonTable] = []
  package var table: String
  package var columns: [String]
  package var source: Source
  package var conflicts: [SQLConflict]
  package var returning: [SQLResultColumn]

  package init(
    into table: String, _ columns: [String], _ source: Source, onConflict conflicts: [SQLConflict] = [],
    returning: [SQLResultColumn] = []
  ) {
    self.table = table
    self.columns = columns
    self.source = source
    self.conflicts = conflicts
    self.returning = returning
  }

  /// An insertion of one row whose values whoever runs it binds, in the order of the columns.
  package init(into table: String, _ columns: [String], onConflict conflicts: [SQLConflict] = []) {
    let row = [SQLExpression](repeating: .parameter, count: columns.count)
    self.init(into: table, columns, .rows([row]), onConflict: conflicts)
  }
}

/// What happens when a row meets one that is there already: `ON CONFLICT (target) DO …`.
package struct SQLConflict: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case nothing
    /// Sets columns of the existing row; `SQLExpression.excluded` names the new one's values.
    case update([SQLAssignment], where: SQLExpression?)
  }

  /// The columns of the unique key; empty for any.
  package var target: [String]
  package var action: Action

  package init(_ target: [String], do action: Action) {
    self.target = target
    self.action = action
  }
}

/// One `column = value`.
package struct SQLAssignment: Hashable, Sendable {
  package var column: String
  package var value: SQLExpression

  package init(_ column: String, _ value: SQLExpression) {
    self.column = column
    self.value = value
  }
}
