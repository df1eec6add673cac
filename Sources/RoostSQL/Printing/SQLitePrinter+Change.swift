extension SQLitePrinter {
  mutating func append(_ insert: SQLInsert) {
    appendWith(insert.with)
    append("INSERT INTO ")
    appendName(insert.table)
    if insert.columns.isEmpty {
      append(" DEFAULT VALUES")
    } else {
      append(" ")
      appendNames(insert.columns)
      append(" ")
      append(insert.source, hasConflicts: !insert.conflicts.isEmpty)
    }
    for conflict in insert.conflicts { append(conflict) }
    appendReturning(insert.returning)
  }

  private mutating func append(_ source: SQLInsert.Source, hasConflicts: Bool) {
    switch source {
    case .rows(let rows):
      append("VALUES ")
      appendList(rows) { $0.appendParenthesized($1) }
    case .select(var select):
      // Without a WHERE, SQLite's parser takes ON CONFLICT for a join's ON.
      if hasConflicts && select.filter == nil { select.filter = .all([]) }
      append(select)
    }
  }

  private mutating func append(_ conflict: SQLConflict) {
    append(" ON CONFLICT ")
    if !conflict.target.isEmpty {
      appendNames(conflict.target)
      append(" ")
    }
    switch conflict.action {
    case .nothing: append("DO NOTHING")
    case .update(let assignments, let filter):
      append("DO UPDATE SET ")
      append(assignments)
      append(" WHERE ", filter)
    }
  }

  private mutating func append(_ assignments: [SQLAssignment]) {
    appendList(assignments) { printer, assignment in
      printer.appendName(assignment.column)
      printer.append(" = ")
      printer.appendOperand(assignment.value)
    }
  }

  private mutating func appendReturning(_ columns: [SQLResultColumn]) {
    guard !columns.isEmpty else { return }
    append(" RETURNING ")
    appendList(columns) { $0.append($1) }
  }

  mutating func append(_ update: SQLUpdate) {
    appendWith(update.with)
    append("UPDATE ")
    append(.table(update.table, alias: update.alias))
    append(" SET ")
    append(update.assignments)
    if let from = update.from {
      append(" FROM ")
      append(from)
      for join in update.joins { append(join) }
    }
    append(" WHERE ", update.filter)
    appendReturning(update.returning)
  }

  mutating func append(_ delete: SQLDelete) {
    appendWith(delete.with)
    append("DELETE FROM ")
    append(.table(delete.table, alias: delete.alias))
    append(" WHERE ", delete.filter)
    appendReturning(delete.returning)
  }
}
