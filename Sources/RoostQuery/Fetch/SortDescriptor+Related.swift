public import Foundation
public import RoostCore
internal import RoostSQL
internal import Synchronization

extension SortDescriptor where Compared: PersistentModel {
  /// Sorts by one value of the models that a relationship refers to: their number, a sum, a greatest value.
  ///
  /// ```swift
  /// FetchDescriptor<Author>(sortBy: [SortDescriptor(\.books, .sum(\.pages), order: .reverse), SortDescriptor(\.name)])
  /// ```
  /// The database makes the values; no related model is loaded. In memory, as in `authors.sorted(using: descriptor)`,
  /// they are made of the related models. Their number alone is a key path too: `SortDescriptor(\.books.count)`.
  /// - Parameters:
  ///   - relationship: a to-many relationship, also of a model that a to-one relationship refers to.
  ///   - aggregate: what to make of the related models.
  ///   - order: whether the least comes first.
  public init<Related: RelationshipCollection & SendableMetatype, Value: Comparable>(
    _ relationship: any KeyPath<Compared, Related> & Sendable,
    _ aggregate: Aggregate<Related.PersistentElement, Value>, order: SortOrder = .forward
  ) {
    self.init(RelatedOrder(relationship, aggregate) { $0 }.keyPath, order: order)
  }

  /// Sorts by one value of the models that a relationship refers to, or nil, which comes first.
  ///
  /// ```swift
  /// FetchDescriptor<Author>(sortBy: [SortDescriptor(\.books, .max(\.published), order: .reverse)])
  /// ```
  public init<Related: RelationshipCollection & SendableMetatype, Value: Comparable & Sendable>(
    _ relationship: any KeyPath<Compared, Related> & Sendable,
    _ aggregate: Aggregate<Related.PersistentElement, Value?>, order: SortOrder = .forward
  ) {
    self.init(RelatedOrder(relationship, aggregate) { $0 }.keyPath, order: order)
  }
}

/// A value made of a model's related models, as a part of a key path.
private struct RelatedOrder<Model: PersistentModel, Value: Comparable & Sendable>: Hashable, Sendable {
  private let relationship: KeyPathKey
  private let aggregate: AggregateIdentity
  let value: @Sendable (Model) -> Value?
  private let sql: RelatedOrders.SQL

  init<Related: RelationshipCollection & SendableMetatype, Result>(
    _ relationship: any KeyPath<Model, Related> & Sendable,
    _ aggregate: Aggregate<Related.PersistentElement, Result>, _ value: @escaping @Sendable (Result) -> Value?
  ) {
    let key = KeyPathKey(keyPath: relationship)
    self.relationship = key
    self.aggregate = aggregate.identity
    self.value = { model in model[keyPath: relationship]._models.flatMap { value(aggregate.evaluate($0)) } }
    sql = { try $0.related(key.keyPath, aggregate, orNil: true).orders }
  }

  static func == (left: RelatedOrder, right: RelatedOrder) -> Bool {
    left.relationship == right.relationship && left.aggregate == right.aggregate
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(relationship)
    hasher.combine(aggregate)
  }

  /// The key path that sort descriptors compare by in memory, and that queries know.
  var keyPath: any KeyPath<Model, RelatedValue<Value>> & Sendable {
    let keyPath = (\Model[related: self]).assumedSendable
    RelatedOrders.add(keyPath, sql)
    return keyPath
  }
}

extension PersistentModel {
  fileprivate subscript<Value>(related order: RelatedOrder<Self, Value>) -> RelatedValue<Value> {
    RelatedValue(value: order.value(self))
  }
}

/// What is compared: nil is less than all others, as it is for sort descriptors.
private struct RelatedValue<Value: Comparable & Sendable>: Comparable, Sendable {
  let value: Value?

  static func < (left: RelatedValue, right: RelatedValue) -> Bool {
    guard let value = right.value else { return false }
    return left.value.map { $0 < value } ?? true
  }
}

private protocol AnyRelatedValue {}

extension RelatedValue: AnyRelatedValue {}

/// What queries sort by for the key paths made above, for as long as the program runs: a key path hides its arguments.
enum RelatedOrders {
  typealias SQL = @Sendable (QueryBuilder) throws -> [SQLExpression]?

  private static let known = Mutex<[KeyPathKey: SQL]>([:])

  static func add(_ keyPath: AnyKeyPath, _ sql: @escaping SQL) {
    known.withLock { $0[KeyPathKey(keyPath: keyPath)] = sql }
  }

  /// nil for all other key paths.
  static func sql(_ keyPath: AnyKeyPath) -> SQL? {
    guard Swift.type(of: keyPath).valueType is any AnyRelatedValue.Type else { return nil }
    return known.withLock { $0[KeyPathKey(keyPath: keyPath)] }
  }
}
