internal import RoostSQL

// Values that the database makes of a row's related models, none of which is loaded.
extension Column {
  /// One value of the models that a to-many relationship leads to.
  private init(
    _ function: AggregateFunction, _ relationship: AnyKeyPath, _ property: AnyKeyPath,
    read: (@Sendable (SQLValue) -> Value?)? = nil
  ) {
    let (list, key) = (KeyPathKey(keyPath: relationship), KeyPathKey(keyPath: property))
    self.init { query in
      let name = "\(function) of \(list.keyPath) \(key.keyPath)"
      var (select, element) = try query.translator.select(query.elements(list.keyPath))
      guard case .row(let row) = element else { throw query.noList(list.keyPath) }
      let aggregate = try function.apply(
        to: query.countable(key.keyPath, function, of: row), name: name, query.translator)
      select.columns = [SQLResultColumn(aggregate.sql)]
      select.joins = row.scope.joins
      var value = aggregate
      value.sql = .subquery(select)
      return Selected(value, name: name, orders: try query.translator.sortKeys(value), read: read)
    }
  }

  /// The sum of a property of the models that a relationship leads to; 0 when there are none.
  public static func sum<Related: RelationshipCollection, Number: AggregateNumber>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Number>
  ) -> Column where Value == Number.Sum { Column(.sum, relationship, property) { Number._sum($0) } }

  /// The mean of a property of the models that a relationship leads to, or nil when there are none.
  public static func average<Related: RelationshipCollection, Number: AggregateNumber>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Number>
  ) -> Column where Value == Number.Average? {
    Column(.average, relationship, property) { $0 == .null ? .some(nil) : Number._average($0) }
  }

  /// The least value of a property of the models that a relationship leads to, or nil when there are none.
  public static func min<Related: RelationshipCollection, Property: Comparable>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Property>
  ) -> Column where Value == Property? { Column(.minimum, relationship, property) }

  /// The greatest value of a property of the models that a relationship leads to, or nil when there are none.
  public static func max<Related: RelationshipCollection, Property: Comparable>(
    _ relationship: KeyPath<Model, Related>, _ property: KeyPath<Related.PersistentElement, Property>
  ) -> Column where Value == Property? { Column(.maximum, relationship, property) }
}

extension Column where Value == Int {
  /// The number of models that a relationship leads to; they are not loaded.
  public static func count<Related: RelationshipCollection>(_ relationship: KeyPath<Model, Related>) -> Column {
    let list = KeyPathKey(keyPath: relationship)
    return Column { query in
      guard case .value(let count) = try query.translator.count(query.elements(list.keyPath)) else {
        throw query.noList(list.keyPath)
      }
      return Selected(count, name: "count of \(list.keyPath)", orders: [count.sql])
    }
  }
}

extension QueryBuilder {
  fileprivate func elements(_ keyPath: AnyKeyPath) throws -> ElementsTerm {
    guard case .elements(let elements) = try term(keyPath) else { throw noList(keyPath) }
    return elements
  }

  fileprivate func noList(_ keyPath: AnyKeyPath) -> SwiftDataError {
    .unsupportedKeyPath("`\(keyPath)` is no to-many relationship of \(root.entity.name).", model: root.entity.name)
  }
}
