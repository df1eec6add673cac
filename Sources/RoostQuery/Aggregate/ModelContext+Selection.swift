public import RoostCore

extension ModelContext {
  /// Values of the rows that match a descriptor, as structs that say themselves what is in them.
  ///
  /// ```swift
  /// @Selection(of: Book.self) struct Line {
  ///   var title: String
  ///   @Select(\Book.author?.name) var author: String?
  /// }
  /// let lines = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.title)]), as: Line.self)
  /// ```
  /// - Parameters:
  ///   - descriptor: which rows, in which order.
  ///   - type: a struct with `@Selection`.
  /// - Returns: a struct a row. No model is made.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` and what a fetch throws. What is made of many rows is refused:
  ///   that is for ``aggregate(_:as:having:orderBy:limit:offset:)``.
  public func fetch<Row: ModelSelection>(
    _ descriptor: FetchDescriptor<Row.SelectedModel>, as type: Row.Type
  ) throws -> [Row] {
    let (_, query) = try query(descriptor)
    let columns = _SelectionColumns<Row.SelectedModel>(query)
    let read = try Row._select(columns)
    if let name = columns.aggregate {
      throw SwiftDataError(
        .unsupportedKeyPath, "`\(name)` of \(type) is made of many rows.", model: query.root.entity.name,
        remedy: "Call aggregate(_:as:), which gives one \(type) a group.")
    }
    columns.result.takeOrder(of: query)
    return try values(columns.result, of: query, descriptor).map { try read(&$0) }
  }

  /// Values that the database makes of each group of rows, as structs that say themselves what is in them.
  ///
  /// ```swift
  /// @Selection(of: Flight.self) struct Delay {
  ///   @Select(\Flight.carrier?.name) var carrier: String?
  ///   @Select(.count) var flights: Int
  ///   @Select(.average(\Flight.delay)) var mean: Double?
  /// }
  /// let delays = try context.aggregate(FetchDescriptor(), as: Delay.self, having: .count > 100)
  /// ```
  /// Rows are grouped by the properties that are not made of many rows; without one there is one group of all rows.
  /// - Parameters:
  ///   - descriptor: which rows; with a limit, the first ones in its order.
  ///   - type: a struct with `@Selection`.
  ///   - condition: which groups to return.
  ///   - orders: the order of groups; by their keys, as the struct has them, unless given.
  ///   - limit: how many groups to return at most.
  ///   - offset: how many groups to leave out before them.
  /// - Returns: a struct a group.
  /// - Throws: what ``aggregate(_:_:)-6xwj1`` throws.
  public func aggregate<Row: ModelSelection>(
    _ descriptor: FetchDescriptor<Row.SelectedModel>, as type: Row.Type,
    having condition: AggregateCondition<Row.SelectedModel>? = nil,
    orderBy orders: [GroupOrder<Row.SelectedModel>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [Row] {
    let query = try query(descriptor).1.limited()
    let columns = _SelectionColumns<Row.SelectedModel>(query)
    let read = try Row._select(columns)
    try columns.result.choose(query, having: condition, orderBy: orders, limit: limit, offset: offset)
    return try values(columns.result, of: query, descriptor).map { try read(&$0) }
  }
}
