public import RoostCore
internal import RoostSQL

// Values that the database makes of a row's related models, none of which is loaded.
extension Column {
  private init<Related>(_ relationship: AnyKeyPath, _ aggregate: Aggregate<Related, Value>) {
    let list = KeyPathKey(keyPath: relationship)
    self.init { try $0.related(list.keyPath, aggregate) }
  }

  /// The sum of a property of the models that a relationship refers to; 0 when there are none.
  public static func sum<Related: RelationshipCollection, Number: AggregateNumber>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Number>
  ) -> Column where Value == Number.Sum { Column(relationship, .sum(property)) }

  /// The mean of a property of the models that a relationship refers to, or nil when there are none.
  public static func average<Related: RelationshipCollection, Number: AggregateNumber>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Number>
  ) -> Column where Value == Number.Average? { Column(relationship, .average(property)) }

  /// The least value of a property of the models that a relationship refers to, or nil when there are none.
  public static func min<Related: RelationshipCollection, Property: Comparable>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Property>
  ) -> Column where Value == Property? { Column(relationship, .min(property)) }

  /// The greatest value of a property of the models that a relationship refers to, or nil when there are none.
  public static func max<Related: RelationshipCollection, Property: Comparable>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Property>
  ) -> Column where Value == Property? { Column(relationship, .max(property)) }
}

extension Column where Value == Int {
  /// The number of models that a relationship refers to; they are not loaded.
  public static func count<Related: RelationshipCollection>(_ relationship: KeyPath<Model, Related>) -> Column {
    Column(relationship, Aggregate<Related.PersistentElement, Int>.count)
  }
}

extension QueryBuilder {
  /// One value of the models that a to-many relationship refers to.
  ///
  /// `orNil`: whether it is NULL where a to-one relationship on the way is nil, as a key path's value is nil.
  func related<Related, Value>(
    _ relationship: AnyKeyPath, _ aggregate: Aggregate<Related, Value>, orNil: Bool = false
  ) throws -> Selected<Value> {
    var (isNil, list) = (SQLExpression.false, try whole(relationship))
    while case .optional(let condition, let wrapped) = list {
      (isNil, list) = (.disjunction([isNil, condition]), wrapped)
    }
    guard case .elements(let elements) = list, case (var select, .row(let row)) = try translator.select(elements) else {
      throw SwiftDataError.unsupportedKeyPath(
        "`\(relationship.sourceText)` is no to-many relationship of \(root.entity.name).", model: root.entity.name)
    }
    let made = try aggregate.make(QueryBuilder(inside: translator, root: row))
    guard var value = made.value else {
      throw SwiftDataError.unsupportedKeyPath("`\(made.name)` is no value.", model: row.entity.name)
    }
    select.columns = [SQLResultColumn(value.sql)]
    select.joins = row.scope.joins
    value.sql = .subquery(select)
    if orNil, isNil != .false {
      value.sql = .conditional([SQLBranch(when: isNil, then: .null)], otherwise: value.sql)
    }
    return Selected(value, name: made.name, orders: try translator.sortKeys(value), read: made.read)
  }
}
