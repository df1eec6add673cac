public import RoostCore
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
    result.takeOrder(of: query)
    return try values(result, of: query, descriptor).map { (repeat try $0.next(each columns)) }
  }

  /// One value of each row that matches: `select: .count(\.books)`.
  public func fetch<T, Value>(
    _ descriptor: FetchDescriptor<T>, select column: Column<T, Value>
  ) throws -> [Value] where T: PersistentModel {
    try fetch(descriptor, select: column, as: { $0 })
  }

  /// One property of each row that matches: `select: \.title`.
  public func fetch<T, Value>(
    _ descriptor: FetchDescriptor<T>, select property: KeyPath<T, Value>
  ) throws -> [Value] where T: PersistentModel, Value: Sendable {
    try fetch(descriptor, select: .value(property))
  }

  /// Values of the rows that match a descriptor, each row's as what `make` makes of them, such as a struct.
  ///
  /// ```swift
  /// struct Line { let title: String, author: String? }
  /// let lines = try context.fetch(
  ///   FetchDescriptor<Book>(), select: .value(\.title), .value(\Book.author?.name), as: Line.init)
  /// ```
  /// The compiler checks the columns against the initialiser's parameters.
  /// - Returns: a value a row, in the descriptor's order.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath``, what a fetch throws, and what `make` throws.
  public func fetch<T, each Value, Row>(
    _ descriptor: FetchDescriptor<T>, select columns: repeat Column<T, each Value>,
    as make: (repeat each Value) throws -> Row
  ) throws -> [Row] where T: PersistentModel {
    let (_, query) = try query(descriptor)
    let columns = (repeat try (each columns).make(query))
    var result = ResultColumns()
    repeat result.add(each columns)
    result.takeOrder(of: query)
    return try values(result, of: query, descriptor).map { try make(repeat try $0.next(each columns)) }
  }

  /// Makes values of your own of some properties: `select: \.title, \.author?.name, as: Line.init`.
  public func fetch<T, each Value, Row>(
    _ descriptor: FetchDescriptor<T>, select properties: repeat KeyPath<T, each Value>,
    as make: (repeat each Value) throws -> Row
  ) throws -> [Row] where T: PersistentModel, repeat each Value: Sendable {
    try fetch(descriptor, select: repeat Column.value(each properties), as: make)
  }

  /// Some properties of the rows that match, as tuples: `select: \.title, \.author?.name`.
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

extension ModelContext {
  /// Runs a query for columns, in one statement.
  func values<T: PersistentModel>(
    _ result: ResultColumns, of query: QueryBuilder, _ descriptor: FetchDescriptor<T>
  ) throws -> _ResultValues {
    let text = SQLitePrinter.print(result.select(from: query))
    var values = _ResultValues(model: query.root.entity.name, columnCount: result.columns.count)
    try read(text, for: query, pending: descriptor.includePendingChanges) { statement in
      while try statement.step() {
        for column in 0..<Int32(result.columns.count) { values.values.append(statement.sqlValue(column)) }
      }
    }
    return values
  }
}
