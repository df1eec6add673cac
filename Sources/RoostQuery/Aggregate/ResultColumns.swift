import RoostCore
internal import RoostSQL

/// The columns of a query's result, and what becomes of its rows.
struct ResultColumns {
  private(set) var columns: [SQLExpression] = []
  private(set) var groups: [SQLExpression] = []
  var having: SQLExpression?
  var orders: [SQLOrder] = []
  var limit: Int?
  var offset: Int?

  mutating func add<Value>(_ column: Selected<Value>) { columns.append(column.sql) }

  /// Adds a column that rows are grouped by, and sorted, if it has an order.
  mutating func addKey<Value>(_ column: Selected<Value>) {
    add(column)
    groups.append(column.identity)
    orders += (column.orders ?? [column.sql]).map { SQLOrder($0) }
  }

  /// The query for these columns of another's rows.
  func select(from query: QueryBuilder) -> SQLSelect {
    var select = query.select(columns.map { SQLResultColumn($0) })
    (select.groups, select.having, select.orders) = (groups, having, orders)
    (select.limit, select.offset) = (limit, offset)
    return select
  }

  /// Has each row of a query be one of the result.
  mutating func takeOrder(of query: QueryBuilder) {
    groups = []
    (orders, limit, offset) = (query.orders, query.limit, query.offset)
  }

  /// Says which groups to return, and in which order: by their keys at last.
  mutating func choose<T: PersistentModel>(
    _ query: QueryBuilder, having condition: AggregateCondition<T>?, orderBy first: [GroupOrder<T>], limit: Int?,
    offset: Int?
  ) throws {
    having = try condition?.make(query)
    orders = try first.flatMap { try $0.make(query) } + orders
    (self.limit, self.offset) = (limit, offset)
  }
}

/// The values of a query's rows, one after the other.
@_documentation(visibility: private)
public struct _ResultValues {
  let model: String
  let columnCount: Int
  var values: [SQLValue] = []
  private var index = 0

  init(model: String, columnCount: Int) {
    self.model = model
    self.columnCount = columnCount
  }

  /// What `body` makes of each row.
  consuming func map<Row>(_ body: (inout _ResultValues) throws -> Row) rethrows -> [Row] {
    var rows: [Row] = []
    if columnCount > 0 { rows.reserveCapacity(values.count / columnCount) }
    while index < values.count { rows.append(try body(&self)) }
    return rows
  }

  mutating func next<Value>(_ column: Selected<Value>) throws -> Value {
    defer { index += 1 }
    if index < values.count, let value = column.read(values[index]) { return value }
    throw SwiftDataError(
      .corruptValue, "The database gave no value of the type \(Value.self) for `\(column.name)`.", model: model,
      remedy: "Look at the rows with another tool, or select it as an optional.")
  }
}
