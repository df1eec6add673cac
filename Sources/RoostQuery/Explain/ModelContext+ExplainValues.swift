public import RoostCore
internal import RoostSQL

extension ModelContext {
  /// How values of all rows that match are made: as ``explain(_:)``, of ``aggregate(_:_:)-6xwj1``.
  ///
  /// - Throws: what ``aggregate(_:_:)-6xwj1`` does before it reads rows.
  public func explain<T, each Value>(
    _ descriptor: FetchDescriptor<T>, _ aggregates: repeat Aggregate<T, each Value>
  ) throws -> QueryExplanation where T: PersistentModel {
    let query = try storedRows(descriptor).1.limited()
    var result = ResultColumns()
    repeat result.add(try (each aggregates).make(query))
    return try explain(result.select(from: query), query)
  }

  /// How groups of rows are made: as ``explain(_:)``, of the aggregation with these arguments.
  ///
  /// - Throws: what the aggregation does before it reads rows.
  public func explain<T, each Key, each Value>(
    _ descriptor: FetchDescriptor<T>, groupBy keys: repeat Column<T, each Key>,
    select aggregates: repeat Aggregate<T, each Value>, having condition: AggregateCondition<T>? = nil,
    orderBy orders: [GroupOrder<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> QueryExplanation where T: PersistentModel {
    let query = try storedRows(descriptor).1.limited()
    var result = ResultColumns()
    repeat result.addKey(try (each keys).make(query))
    repeat result.add(try (each aggregates).make(query))
    try result.choose(query, having: condition, orderBy: orders, limit: limit, offset: offset)
    return try explain(result.select(from: query), query)
  }
}
