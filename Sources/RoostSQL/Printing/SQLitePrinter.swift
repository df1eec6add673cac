/// Prints syntax in SQLite's dialect.
package struct SQLitePrinter {
  var sql = ""
  var arguments: [SQLValue] = []
  /// Schema statements take no parameters: their constants are printed.
  let printsLiterals: Bool

  init(printsLiterals: Bool) { self.printsLiterals = printsLiterals }

  /// The text and arguments of a statement.
  package static func print(_ statement: SQLStatement) -> SQLText {
    switch statement {
    case .select(let select): print(select)
    case .insert(let insert): print(insert)
    case .update(let update): print(update)
    case .delete(let delete): print(delete)
    case .createTable(let table): print(table)
    case .createIndex(let index): print(index)
    case .alterTable(let change): print(change)
    case .drop(let drop): print(drop)
    }
  }

  /// The text of a statement whose parameters are bound later; its constants, such as names of types, are printed.
  package static func template(_ select: SQLSelect) -> String { text(literals: true) { $0.append(select) }.sql }
  /// The text of an insertion whose parameters are bound later.
  package static func template(_ insert: SQLInsert) -> String { text(literals: true) { $0.append(insert) }.sql }
  /// The text of a change whose parameters are bound later.
  package static func template(_ update: SQLUpdate) -> String { text(literals: true) { $0.append(update) }.sql }

  /// The text of a condition in a schema statement; its constants are printed.
  package static func template(_ expression: SQLExpression) -> String {
    text(literals: true) { $0.append(expression) }.sql
  }

  /// The text and arguments of a query.
  package static func print(_ select: SQLSelect) -> SQLText { text { $0.append(select) } }
  /// The text and arguments of an insertion.
  package static func print(_ insert: SQLInsert) -> SQLText { text { $0.append(insert) } }
  /// The text and arguments of a change of rows.
  package static func print(_ update: SQLUpdate) -> SQLText { text { $0.append(update) } }
  /// The text and arguments of a removal of rows.
  package static func print(_ delete: SQLDelete) -> SQLText { text { $0.append(delete) } }
  /// The text of a new table.
  package static func print(_ table: SQLCreateTable) -> SQLText { text(literals: true) { $0.append(table) } }
  /// The text of a new index.
  package static func print(_ index: SQLCreateIndex) -> SQLText { text(literals: true) { $0.append(index) } }
  /// The text of a change of a table.
  package static func print(_ change: SQLAlterTable) -> SQLText { text(literals: true) { $0.append(change) } }
  /// The text of a removal from the schema.
  package static func print(_ drop: SQLDrop) -> SQLText { text(literals: true) { $0.append(drop) } }
  /// The text and arguments of an expression alone, for messages and tests.
  package static func print(_ expression: SQLExpression) -> SQLText { text { $0.append(expression) } }
  /// A value as SQL writes it.
  package static func literal(_ value: SQLValue) -> String { text(literals: true) { $0.append(value) }.sql }

  static func text(literals: Bool = false, _ body: (inout SQLitePrinter) -> Void) -> SQLText {
    var printer = SQLitePrinter(printsLiterals: literals)
    body(&printer)
    return SQLText(sql: printer.sql, arguments: printer.arguments)
  }
}

extension SQLitePrinter {
  mutating func append(_ text: String) { sql += text }

  mutating func appendName(_ name: String) { sql += quotedIdentifier(name) }

  /// Names in parentheses.
  mutating func appendNames(_ names: [String]) {
    append("(")
    appendList(names) { $0.appendName($1) }
    append(")")
  }

  mutating func appendList<Element>(
    _ elements: [Element], separator: String = ", ", _ body: (inout SQLitePrinter, Element) -> Void
  ) {
    var isFirst = true
    for element in elements {
      if !isFirst { append(separator) }
      isFirst = false
      body(&self, element)
    }
  }
}
