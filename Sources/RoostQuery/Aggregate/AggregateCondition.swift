internal import Foundation
public import RoostCore
internal import RoostSQL

// The operators are disfavoured, or the compiler tries them in every clause of a long predicate (`make compile-time`).

/// What the groups of an aggregation must fulfil: `.count > 10`, `.average(\.delay) >= 15 && .count > 3`.
public struct AggregateCondition<Model: PersistentModel>: Sendable {
  let make: @Sendable (QueryBuilder) throws -> SQLExpression
}

extension AggregateCondition: _Condition {
  public static func _all(_ conditions: [AggregateCondition]) -> AggregateCondition {
    AggregateCondition { query in .conjunction(try conditions.map { try $0.make(query) }) }
  }

  public static func _any(_ conditions: [AggregateCondition]) -> AggregateCondition {
    AggregateCondition { query in .disjunction(try conditions.map { try $0.make(query) }) }
  }

  public static func _not(_ condition: AggregateCondition) -> AggregateCondition {
    AggregateCondition { .negation(try condition.make($0)) }
  }
}

extension Aggregate where Value: Comparable {
  /// Whether a group's value is less than another.
  @_disfavoredOverload
  public static func < (aggregate: Aggregate, value: Value) -> AggregateCondition<Model> {
    aggregate.condition(.less, value)
  }
  /// Whether a group's value is less than another, or equal.
  @_disfavoredOverload
  public static func <= (aggregate: Aggregate, value: Value) -> AggregateCondition<Model> {
    aggregate.condition(.lessOrEqual, value)
  }
  /// Whether a group's value is greater than another.
  @_disfavoredOverload
  public static func > (aggregate: Aggregate, value: Value) -> AggregateCondition<Model> {
    aggregate.condition(.greater, value)
  }
  /// Whether a group's value is greater than another, or equal.
  @_disfavoredOverload
  public static func >= (aggregate: Aggregate, value: Value) -> AggregateCondition<Model> {
    aggregate.condition(.greaterOrEqual, value)
  }
  /// Whether a group's value is another.
  @_disfavoredOverload
  public static func == (aggregate: Aggregate, value: Value) -> AggregateCondition<Model> {
    aggregate >= value && aggregate <= value
  }
}

// The same of what may be nil; nil fulfils none.
extension Aggregate {
  /// Whether a group's value is less than another.
  @_disfavoredOverload
  public static func < <Wrapped: Comparable & Sendable>(
    aggregate: Aggregate, value: Wrapped
  ) -> AggregateCondition<Model> where Value == Wrapped? { aggregate.condition(.less, value) }
  /// Whether a group's value is less than another, or equal.
  @_disfavoredOverload
  public static func <= <Wrapped: Comparable & Sendable>(
    aggregate: Aggregate, value: Wrapped
  ) -> AggregateCondition<Model> where Value == Wrapped? { aggregate.condition(.lessOrEqual, value) }
  /// Whether a group's value is greater than another.
  @_disfavoredOverload
  public static func > <Wrapped: Comparable & Sendable>(
    aggregate: Aggregate, value: Wrapped
  ) -> AggregateCondition<Model> where Value == Wrapped? { aggregate.condition(.greater, value) }
  /// Whether a group's value is greater than another, or equal.
  @_disfavoredOverload
  public static func >= <Wrapped: Comparable & Sendable>(
    aggregate: Aggregate, value: Wrapped
  ) -> AggregateCondition<Model> where Value == Wrapped? { aggregate.condition(.greaterOrEqual, value) }
  /// Whether a group's value is another.
  @_disfavoredOverload
  public static func == <Wrapped: Comparable & Sendable>(
    aggregate: Aggregate, value: Wrapped
  ) -> AggregateCondition<Model> where Value == Wrapped? { aggregate >= value && aggregate <= value }

  fileprivate func condition(
    _ operator: SQLBinaryOperator, _ value: some Comparable & Sendable
  ) -> AggregateCondition<Model> {
    AggregateCondition { query in
      let selected = try make(query)
      guard let aggregate = selected.value else {
        throw SwiftDataError.unsupportedKeyPath("`\(selected.name)` cannot be compared.")
      }
      let holds = try query.translator.compare(
        .value(aggregate), `operator`, .constant(value), PredicateExpressions.Value(true))
      // NULL is not true, and neither is its negation.
      return .function(.coalesce, [holds, .boolean(false)])
    }
  }
}

/// What groups are sorted by.
public struct GroupOrder<Model: PersistentModel>: Sendable {
  let make: @Sendable (QueryBuilder) throws -> [SQLOrder]

  private init(isAscending: Bool, _ make: @escaping @Sendable (QueryBuilder) throws -> (name: String, [SQLExpression]?))
  {
    self.make = { query in
      let (name, orders) = try make(query)
      guard let orders else { throw SwiftDataError.unsupportedSortDescriptor("SQL knows no order of `\(name)`.") }
      return orders.map { SQLOrder($0, ascending: isAscending) }
    }
  }

  /// The smallest first.
  public static func ascending<Value>(_ aggregate: Aggregate<Model, Value>) -> GroupOrder {
    GroupOrder(isAscending: true) { query in
      let selected = try aggregate.make(query)
      return (selected.name, selected.orders)
    }
  }

  /// The greatest first.
  public static func descending<Value>(_ aggregate: Aggregate<Model, Value>) -> GroupOrder {
    GroupOrder(isAscending: false) { query in
      let selected = try aggregate.make(query)
      return (selected.name, selected.orders)
    }
  }

  /// The smallest first; nil comes before all.
  public static func ascending<Value>(_ column: Column<Model, Value>) -> GroupOrder {
    GroupOrder(isAscending: true) { query in
      let selected = try column.make(query)
      return (selected.name, selected.orders)
    }
  }

  /// The greatest first; nil comes last.
  public static func descending<Value>(_ column: Column<Model, Value>) -> GroupOrder {
    GroupOrder(isAscending: false) { query in
      let selected = try column.make(query)
      return (selected.name, selected.orders)
    }
  }
}
