internal import RoostSQL

/// One value that the database makes of many rows: a count, a sum, an average, a least or greatest value.
///
/// ```swift
/// let (count, total) = try context.aggregate(FetchDescriptor<Trip>(), .count, .sum(\.price))
/// ```
/// Rows without a value count for nothing: the least of no values is nil, their sum is 0.
public struct Aggregate<Model: PersistentModel, Value: Sendable>: Sendable {
  let make: @Sendable (QueryBuilder) throws -> Selected<Value>

  init(_ make: @escaping @Sendable (QueryBuilder) throws -> Selected<Value>) { self.make = make }

  /// An aggregate of the values of a property.
  private init(
    _ function: AggregateFunction, _ keyPath: PartialKeyPath<Model>, read: (@Sendable (SQLValue) -> Value?)? = nil
  ) {
    let key = KeyPathKey(keyPath: keyPath)
    self.init { query in
      let value = try function.apply(
        to: query.countable(key.keyPath, function), name: "\(key.keyPath)", query.translator)
      return Selected(
        value, name: "\(function) of \(key.keyPath)", orders: try query.translator.sortKeys(value), read: read)
    }
  }
}

extension Aggregate where Value == Int {
  /// The number of rows.
  public static var count: Aggregate {
    Aggregate { _ in Selected(ValueTerm(sql: .countAll, meaning: .integer), name: "count", orders: [.countAll]) }
  }

  /// The number of different values of a property, nil not counted; of a to-one relationship, of different models.
  public static func countDistinct<Property>(_ keyPath: KeyPath<Model, Property>) -> Aggregate {
    Aggregate(.countDistinct, keyPath)
  }
}

extension Aggregate {
  /// The sum of a property's values; 0 when there are none. `Decimal` is summed exactly.
  public static func sum<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number>) -> Aggregate
  where Value == Number.Sum { Aggregate(.sum, keyPath) { Number._sum($0) } }

  /// The sum of a property's values; 0 when there are none. `Decimal` is summed exactly.
  public static func sum<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number?>) -> Aggregate
  where Value == Number.Sum { Aggregate(.sum, keyPath) { Number._sum($0) } }

  /// The mean of a property's values, or nil when there are none.
  public static func average<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number>) -> Aggregate
  where Value == Number.Average? { Aggregate(.average, keyPath) { $0 == .null ? .some(nil) : Number._average($0) } }

  /// The mean of a property's values, or nil when there are none.
  public static func average<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number?>) -> Aggregate
  where Value == Number.Average? { Aggregate(.average, keyPath) { $0 == .null ? .some(nil) : Number._average($0) } }

  /// The least of a property's values, in Swift's order, or nil when there are none.
  public static func min<Property: Comparable>(_ keyPath: KeyPath<Model, Property>) -> Aggregate
  where Value == Property? { Aggregate(.minimum, keyPath) }

  /// The least of a property's values, in Swift's order, or nil when there are none.
  public static func min<Property: Comparable>(_ keyPath: KeyPath<Model, Property?>) -> Aggregate
  where Value == Property? { Aggregate(.minimum, keyPath) }

  /// The greatest of a property's values, in Swift's order, or nil when there are none.
  public static func max<Property: Comparable>(_ keyPath: KeyPath<Model, Property>) -> Aggregate
  where Value == Property? { Aggregate(.maximum, keyPath) }

  /// The greatest of a property's values, in Swift's order, or nil when there are none.
  public static func max<Property: Comparable>(_ keyPath: KeyPath<Model, Property?>) -> Aggregate
  where Value == Property? { Aggregate(.maximum, keyPath) }
}

extension QueryBuilder {
  /// The value that an aggregate is of; a model counts by its key.
  func countable(_ keyPath: AnyKeyPath, _ function: AggregateFunction, of row: RowTerm? = nil) throws -> ValueTerm {
    let term = try term(keyPath, of: row)
    if case .countDistinct = function, case .row(let row) = term { return ValueTerm(sql: row.key, meaning: .integer) }
    if case .value(let value) = term { return value }
    return try value(keyPath, of: row)
  }
}
