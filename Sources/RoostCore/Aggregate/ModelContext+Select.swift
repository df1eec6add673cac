internal import RoostEngine
internal import RoostSQL

extension ModelContext {
  /// Values of the rows that match a descriptor, without making models.
  ///
  /// ```swift
  /// let rows = try context.fetch(FetchDescriptor<Book>(), select: .value(\.title), .value(\.author?.name))
  /// for (title, author) in rows { … }
  /// let authors = try context.fetch(FetchDescriptor<Author>(), select: .value(\.name), .count(\.books))
  /// ```
  /// - Returns: a tuple a row, in the descriptor's order.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` and what a fetch throws.
  public func fetch<T, each Value>(
    _ descriptor: FetchDescriptor<T>, select columns: repeat Column<T, each Value>
  ) throws -> [(repeat each Value)] where T: PersistentModel {
    let (_, query) = try query(descriptor)
    let columns = (repeat try (each columns).make(query))
    var result = ResultColumns()
    repeat result.add(each columns)
    (result.orders, result.limit, result.offset) = (query.orders, query.limit, query.offset)
    var values = try values(result, of: query, descriptor)
    var rows: [(repeat each Value)] = []
    rows.reserveCapacity(values.rowCount)
    while values.hasNext { rows.append((repeat try values.next(each columns))) }
    return rows
  }

  /// The same, of properties alone: `select: \.title, \.author?.name`.
  public func fetch<T, each Value>(
    _ descriptor: FetchDescriptor<T>, select properties: repeat KeyPath<T, each Value>
  ) throws -> [(repeat each Value)] where T: PersistentModel, repeat each Value: Sendable {
    try fetch(descriptor, select: repeat Column.value(each properties))
  }

  /// Whether any row matches. Runs `SELECT EXISTS (…)`, which ends at the first.
  public func exists<T>(_ descriptor: FetchDescriptor<T>) throws -> Bool where T: PersistentModel {
    let (_, query) = try query(descriptor)
    var select = query.select([primaryKeyColumn])
    select.orders = []
    let text = SQLitePrinter.print(SQLSelect([SQLResultColumn(.exists(select))]))
    return try read(text, for: query, pending: descriptor.includePendingChanges) { try $0.step() && $0.int64(0) != 0 }
  }

  /// The first model that matches, in the descriptor's order; nil when none does.
  public func first<T>(_ descriptor: FetchDescriptor<T>) throws -> T? where T: PersistentModel {
    var descriptor = descriptor
    descriptor.fetchLimit = min(descriptor.fetchLimit ?? 1, 1)
    return try fetch(descriptor).first
  }
}

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
}

/// The values of a query's rows, one after the other.
struct ResultValues {
  let model: String
  let columnCount: Int
  var values: [SQLValue] = []
  private var index = 0

  init(model: String, columnCount: Int) {
    self.model = model
    self.columnCount = columnCount
  }

  var rowCount: Int { columnCount == 0 ? 0 : values.count / columnCount }
  var hasNext: Bool { index < values.count }

  mutating func next<Value>(_ column: Selected<Value>) throws -> Value {
    defer { index += 1 }
    if index < values.count, let value = column.read(values[index]) { return value }
    throw SwiftDataError(
      .corruptValue, "The database gave no value of the type \(Value.self) for `\(column.name)`.", model: model,
      remedy: "Look at the rows with another tool, or select it as an optional.")
  }
}

extension ModelContext {
  /// Runs a query for columns, in one statement.
  func values<T: PersistentModel>(
    _ result: ResultColumns, of query: QueryBuilder, _ descriptor: FetchDescriptor<T>
  ) throws -> ResultValues {
    let text = SQLitePrinter.print(result.select(from: query))
    var values = ResultValues(model: query.root.entity.name, columnCount: result.columns.count)
    try read(text, for: query, pending: descriptor.includePendingChanges) { statement in
      while try statement.step() {
        for column in 0..<Int32(result.columns.count) { values.values.append(statement.sqlValue(column)) }
      }
    }
    return values
  }
}
