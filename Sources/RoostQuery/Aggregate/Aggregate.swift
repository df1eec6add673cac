public import RoostCore
internal import RoostSQL

/// One value that the database makes of many rows: a count, a sum, an average, a least or greatest value.
///
/// ```swift
/// let (count, total) = try context.aggregate(FetchDescriptor<Trip>(), .count, .sum(\.price))
/// ```
/// Rows without a value count for nothing: the least of no values is nil, their sum is 0.
public struct Aggregate<Model: PersistentModel, Value: Sendable>: Sendable {
  let make: @Sendable (QueryBuilder) throws -> Selected<Value>
  /// The same value made of models.
  let evaluate: @Sendable ([Model]) -> Value
  let identity: AggregateIdentity

  /// An aggregate of the values of a property.
  private init<Property: SendableMetatype>(
    _ function: AggregateFunction, _ keyPath: KeyPath<Model, Property>, read: (@Sendable (SQLValue) -> Value?)? = nil,
    evaluate: @escaping @Sendable ([Property]) -> Value
  ) {
    let (key, path) = (KeyPathKey(keyPath: keyPath), keyPath.assumedSendable)
    make = { query in
      let value = try function.apply(
        to: query.countable(key.keyPath, function), name: "\(key.keyPath)", query.translator)
      return Selected(
        value, name: "\(function) of \(key.keyPath)", orders: try query.translator.sortKeys(value), read: read)
    }
    self.evaluate = { models in evaluate(models.map { $0[keyPath: path] }) }
    identity = AggregateIdentity(function: function, property: key)
  }
}

/// What two aggregates have in common that are the same.
struct AggregateIdentity: Hashable, Sendable {
  /// nil counts rows.
  var function: AggregateFunction?
  var property: KeyPathKey?
}

extension Aggregate where Value == Int {
  /// The number of rows.
  public static var count: Aggregate { Aggregate(counting: ()) }

  private init(counting: Void) {
    make = { _ in Selected(ValueTerm(sql: .countAll, meaning: .integer), name: "count", orders: [.countAll]) }
    evaluate = { $0.count }
    identity = AggregateIdentity()
  }

  /// The number of different values of a property, nil not counted; of a to-one relationship, of different models.
  public static func countDistinct<Property: Hashable & SendableMetatype>(
    _ keyPath: KeyPath<Model, Property>
  ) -> Aggregate {
    Aggregate(.countDistinct, keyPath) { values in
      Selected<Property>.noValue.map { Set(values).subtracting([$0]).count } ?? Set(values).count
    }
  }
}

extension Aggregate {
  /// The sum of a property's values; 0 when there are none. `Decimal` is summed exactly.
  public static func sum<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number>) -> Aggregate
  where Value == Number.Sum {
    Aggregate(.sum, keyPath, read: { Number._sum($0) }, evaluate: { Number._sum(of: $0) })
  }

  /// The sum of a property's values; 0 when there are none. `Decimal` is summed exactly.
  public static func sum<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number?>) -> Aggregate
  where Value == Number.Sum {
    Aggregate(.sum, keyPath, read: { Number._sum($0) }, evaluate: { Number._sum(of: $0.compactMap(\.self)) })
  }

  /// The mean of a property's values, or nil when there are none.
  public static func average<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number>) -> Aggregate
  where Value == Number.Average? {
    Aggregate(.average, keyPath, read: { readMean($0, Number.self) }, evaluate: { Number._average(of: $0) })
  }

  /// The mean of a property's values, or nil when there are none.
  public static func average<Number: AggregateNumber>(_ keyPath: KeyPath<Model, Number?>) -> Aggregate
  where Value == Number.Average? {
    Aggregate(
      .average, keyPath, read: { readMean($0, Number.self) }, evaluate: { Number._average(of: $0.compactMap(\.self)) })
  }

  private static func readMean<Number: AggregateNumber>(_ value: SQLValue, _ type: Number.Type) -> Number.Average?? {
    value == .null ? .some(nil) : Number._average(value)
  }

  /// The least of a property's values, in Swift's order, or nil when there are none.
  public static func min<Property: Comparable>(_ keyPath: KeyPath<Model, Property>) -> Aggregate
  where Value == Property? { Aggregate(.minimum, keyPath) { $0.min() } }

  /// The least of a property's values, in Swift's order, or nil when there are none.
  public static func min<Property: Comparable>(_ keyPath: KeyPath<Model, Property?>) -> Aggregate
  where Value == Property? { Aggregate(.minimum, keyPath) { $0.compactMap(\.self).min() } }

  /// The greatest of a property's values, in Swift's order, or nil when there are none.
  public static func max<Property: Comparable>(_ keyPath: KeyPath<Model, Property>) -> Aggregate
  where Value == Property? { Aggregate(.maximum, keyPath) { $0.max() } }

  /// The greatest of a property's values, in Swift's order, or nil when there are none.
  public static func max<Property: Comparable>(_ keyPath: KeyPath<Model, Property?>) -> Aggregate
  where Value == Property? { Aggregate(.maximum, keyPath) { $0.compactMap(\.self).max() } }
}

extension QueryBuilder {
  /// The value that an aggregate is of; a model counts by its key.
  func countable(_ keyPath: AnyKeyPath, _ function: AggregateFunction) throws -> ValueTerm {
    let term = try term(keyPath)
    if case .countDistinct = function, case .row(let row) = term {
      return ValueTerm(sql: row.presentKey ?? row.key, meaning: .integer)
    }
    if case .value(let value) = term { return value }
    return try value(keyPath)
  }
}
