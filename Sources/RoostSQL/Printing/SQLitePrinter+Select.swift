extension SQLitePrinter {
  mutating func append(_ select: SQLSelect) {
    appendWith(select.with)
    appendCore(select)
    for compound in select.compounds {
      append(" \(compound.operator.rawValue) ")
      appendCompound(compound.select)
    }
    if !select.orders.isEmpty {
      append(" ORDER BY ")
      appendList(select.orders) { $0.append($1) }
    }
    appendLimit(select)
  }

  private mutating func appendCore(_ select: SQLSelect) {
    append(select.isDistinct ? "SELECT DISTINCT " : "SELECT ")
    if select.columns.isEmpty { append("1") } else { appendList(select.columns) { $0.append($1) } }
    if let from = select.from {
      append(" FROM ")
      append(from)
    }
    for join in select.joins { append(join) }
    append(" WHERE ", select.filter)
    if !select.groups.isEmpty {
      append(" GROUP BY ")
      appendList(select.groups) { $0.append($1) }
    }
    append(" HAVING ", select.having)
  }

  /// SQLite takes no ORDER BY or LIMIT in a part of a compound query, except inside a subquery.
  private mutating func appendCompound(_ select: SQLSelect) {
    let isPlain = select.orders.isEmpty && select.limit == nil && select.offset == nil && select.with.isEmpty
    if isPlain && select.compounds.isEmpty {
      appendCore(select)
    } else {
      append("SELECT * FROM ")
      appendParenthesized(select)
    }
  }

  private mutating func appendLimit(_ select: SQLSelect) {
    guard select.limit != nil || select.offset != nil else { return }
    append(" LIMIT ")
    append(SQLExpression.integer(Int64(select.limit ?? -1)))
    guard let offset = select.offset else { return }
    append(" OFFSET ")
    append(SQLExpression.integer(Int64(offset)))
  }

  mutating func append(_ keyword: String, _ expression: SQLExpression?) {
    guard let expression else { return }
    append(keyword)
    append(expression)
  }

  mutating func append(_ column: SQLResultColumn) {
    append(column.expression)
    guard let alias = column.alias else { return }
    append(" AS ")
    appendName(alias)
  }

  mutating func append(_ order: SQLOrder) {
    appendOperand(order.expression)
    if !order.isAscending { append(" DESC") }
    switch order.nulls {
    case .first: append(" NULLS FIRST")
    case .last: append(" NULLS LAST")
    case nil: break
    }
  }

  mutating func appendWith(_ tables: [SQLCommonTable]) {
    guard !tables.isEmpty else { return }
    append(tables.contains { $0.isRecursive } ? "WITH RECURSIVE " : "WITH ")
    appendList(tables) { printer, table in
      printer.appendName(table.name)
      if !table.columns.isEmpty { printer.appendNames(table.columns) }
      printer.append(" AS ")
      printer.appendParenthesized(table.select)
    }
    append(" ")
  }

  mutating func append(_ table: SQLTable) {
    let alias: String?
    switch table {
    case .table(let table, let name):
      appendName(table)
      alias = name
    case .select(let select, let name):
      appendParenthesized(select)
      alias = name
    case .function(let function, let arguments, let name):
      append(function.name)
      appendParenthesized(arguments)
      alias = name
    }
    guard let alias else { return }
    append(" AS ")
    appendName(alias)
  }

  mutating func append(_ join: SQLJoin) {
    append(" \(join.kind.rawValue) ")
    append(join.table)
    append(" ON ", join.condition)
  }
}
