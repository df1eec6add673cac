public import RoostCore

/// A struct whose properties are values that the database reads, or makes, without models: what `@Selection` makes.
public protocol ModelSelection: Sendable {
  /// The models whose rows are read.
  associatedtype SelectedModel: PersistentModel

  @_documentation(visibility: private)
  static func _select(_ columns: _SelectionColumns<SelectedModel>) throws -> (inout _ResultValues) throws -> Self
}

/// The columns of a query, as generated code adds them: one for each property.
@_documentation(visibility: private)
public final class _SelectionColumns<Model: PersistentModel> {
  private let query: QueryBuilder
  var result = ResultColumns()
  /// A property that is made of many rows.
  private(set) var aggregate: String?

  init(_ query: QueryBuilder) { self.query = query }

  // The names tell what is known of an argument's kind, for the compiler to say what is wrong with it.

  /// The value of a property.
  public func addProperty<Value: Sendable>(
    _ name: String, _ keyPath: KeyPath<Model, Value>, as type: Value.Type
  ) throws -> _Selected<Value> { try add(name, .value(keyPath), as: type) }

  /// A value of a row, or by which rows are grouped.
  public func add<Value>(_ name: String, _ column: Column<Model, Value>, as type: Value.Type) throws -> _Selected<Value>
  {
    let column = try column.make(query)
    result.addKey(column)
    return _Selected(column: column)
  }

  /// A value of many rows.
  public func add<Value>(
    _ name: String, _ aggregate: Aggregate<Model, Value>, as type: Value.Type
  ) throws -> _Selected<Value> {
    let column = try aggregate.make(query)
    result.add(column)
    self.aggregate = name
    return _Selected(column: column)
  }
}

/// A column, and how to read its values.
@_documentation(visibility: private)
public struct _Selected<Value> {
  fileprivate let column: Selected<Value>
}

extension _ResultValues {
  /// The next property's value.
  @_documentation(visibility: private)
  public mutating func _next<Value>(_ column: _Selected<Value>) throws -> Value { try next(column.column) }
}

/// What a property of a `@Selection` struct may be that no key path of the model says.
@_documentation(visibility: private)
public enum _RowValue: Sendable {
  case count
  case persistentModelID
}
