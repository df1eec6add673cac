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

  /// Values that the database makes of each group of rows with the same keys.
  ///
  /// ```swift
  /// let (month, carrier) = (Column<Flight, Date>.month(\.departure), Column<Flight, String>.value(\.carrier))
  /// let months = try context.aggregate(
  ///   FetchDescriptor<Flight>(), groupBy: month, carrier, select: .count, .average(\.delay), having: .count > 100,
  ///   orderBy: [.descending(.count)], limit: 10)
  /// for (month, carrier, count, delay) in months { … }
  /// ```
  /// - Parameters:
  ///   - descriptor: which rows; with a limit, the first ones in its order.
  ///   - keys: what rows of a group have in common. nil is a key like others.
  ///   - aggregates: what to make of each group.
  ///   - condition: which groups to return.
  ///   - orders: the order of groups; by their keys unless given.
  ///   - limit: how many groups to return at most.
  ///   - offset: how many groups to leave out before them.
  /// - Returns: a tuple a group: the keys, then the values.
  /// - Throws: what ``aggregate(_:_:)`` throws.
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
    result.having = try condition?.make(query)
    if !orders.isEmpty { result.orders = try orders.flatMap { try $0.make(query) } + result.orders }
    (result.limit, result.offset) = (limit, offset)
    var values = try values(result, of: query, descriptor)
    var groups: [(repeat each Key, repeat each Value)] = []
    groups.reserveCapacity(values.rowCount)
    while values.hasNext { groups.append((repeat try values.next(each keys), repeat try values.next(each columns))) }
    return groups
  }

  /// The same, with groups by properties: `groupBy: \.carrier, \.year`.
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
