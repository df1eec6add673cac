public import RoostCore
internal import RoostEngine
internal import RoostSQL

extension ModelContext {
  /// Values that the database makes of all rows that match a descriptor, in one statement and without any model.
  ///
  /// ```swift
  /// let trips = FetchDescriptor<Trip>(predicate: #Predicate { $0.year == 2026 })
  /// let (count, total, longest) = try context.aggregate(trips, .count, .sum(\.price), .max(\.distance))
  /// ```
  /// - Parameters:
  ///   - descriptor: which rows; with a limit, the first ones in its order. Pending changes count unless it says no.
  ///   - aggregates: what to make of them.
  /// - Returns: one value an aggregate.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` and what a fetch throws, before any SQL runs;
  ///   ``SwiftDataError/storeFailure`` when a sum of integers is too large.
  public func aggregate<T, each Value>(
    _ descriptor: FetchDescriptor<T>, _ aggregates: repeat Aggregate<T, each Value>
  ) throws -> (repeat each Value) where T: PersistentModel {
    let query = try query(descriptor).1.limited()
    let columns = (repeat try (each aggregates).make(query))
    var result = ResultColumns()
    repeat result.add(each columns)
    var values = try values(result, of: query, descriptor)
    return (repeat try values.next(each columns))
  }

  /// One value that the database makes of all rows that match: `try context.aggregate(trips, .average(\.price)) ?? 0`.
  ///
  /// - Throws: what ``aggregate(_:_:)-6xwj1`` of several throws.
  public func aggregate<T, Value>(_ descriptor: FetchDescriptor<T>, _ aggregate: Aggregate<T, Value>) throws -> Value
  where T: PersistentModel {
    // Apart from the one of several, as the compiler cannot tell a pack's only value from a tuple of it.
    try self.aggregate(descriptor, aggregate) { _ in }
  }

  /// As without `willRead`, which is told the tables that the value is made of before they are read.
  func aggregate<T: PersistentModel, Value>(
    _ descriptor: FetchDescriptor<T>, _ aggregate: Aggregate<T, Value>, willRead: (Set<String>) -> Void
  ) throws -> Value {
    let query = try query(descriptor).1.limited()
    let column = try aggregate.make(query)
    var result = ResultColumns()
    result.add(column)
    willRead(query.usesTables)
    var values = try values(result, of: query, descriptor)
    return try values.next(column)
  }

  /// Values that the database makes of each group of rows with the same keys.
  ///
  /// ```swift
  /// let months = try context.aggregate(
  ///   FetchDescriptor<Flight>(), groupBy: .month(\.departure), .value(\Flight.carrier?.name),
  ///   select: .count, .average(\.delay), having: .count > 100, orderBy: [.descending(.count)], limit: 10)
  /// for (month, carrier, count, delay) in months { … }
  /// ```
  /// The compiler cannot tell the type of `\.carrier?.name` among several keys: it needs its root, as above.
  /// - Parameters:
  ///   - descriptor: which rows; with a limit, the first ones in its order.
  ///   - keys: what rows of a group have in common. nil is a key like others.
  ///   - aggregates: what to make of each group.
  ///   - condition: which groups to return.
  ///   - orders: the order of groups; by their keys unless given.
  ///   - limit: how many groups to return at most.
  ///   - offset: how many groups to leave out before them.
  /// - Returns: a tuple a group: the keys, then the values.
  /// - Throws: what ``aggregate(_:_:)-6xwj1`` throws.
  public func aggregate<T, each Key, each Value>(
    _ descriptor: FetchDescriptor<T>, groupBy keys: repeat Column<T, each Key>,
    select aggregates: repeat Aggregate<T, each Value>, having condition: AggregateCondition<T>? = nil,
    orderBy orders: [GroupOrder<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(repeat each Key, repeat each Value)] where T: PersistentModel {
    let query = try query(descriptor).1.limited()
    let keys = (repeat try (each keys).make(query))
    let columns = (repeat try (each aggregates).make(query))
    var result = ResultColumns()
    repeat result.addKey(each keys)
    repeat result.add(each columns)
    try result.choose(query, having: condition, orderBy: orders, limit: limit, offset: offset)
    return try values(result, of: query, descriptor).map {
      (repeat try $0.next(each keys), repeat try $0.next(each columns))
    }
  }

  /// Aggregates of groups that have the same values of properties: `groupBy: \.carrier, \.year`.
  public func aggregate<T, each Key, each Value>(
    _ descriptor: FetchDescriptor<T>, groupBy keys: repeat KeyPath<T, each Key>,
    select aggregates: repeat Aggregate<T, each Value>, having condition: AggregateCondition<T>? = nil,
    orderBy orders: [GroupOrder<T>] = [], limit: Int? = nil, offset: Int? = nil
  ) throws -> [(repeat each Key, repeat each Value)] where T: PersistentModel, repeat each Key: Sendable {
    try aggregate(
      descriptor, groupBy: repeat Column.value(each keys), select: repeat each aggregates, having: condition,
      orderBy: orders, limit: limit, offset: offset)
  }
}
