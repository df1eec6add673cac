public import RoostCore
internal import RoostSQL

/// One value that a query reads from a row without making a model, or groups rows by.
///
/// ```swift
/// let rows = try context.fetch(FetchDescriptor<Author>(), select: .value(\.name), .count(\.books))
/// ```
public struct Column<Model: PersistentModel, Value: Sendable>: Sendable {
  let make: @Sendable (QueryBuilder) throws -> Selected<Value>

  init(_ make: @escaping @Sendable (QueryBuilder) throws -> Selected<Value>) { self.make = make }

  /// The value of an attribute, also through to-one relationships: `.value(\.author?.name)`.
  public static func value(_ keyPath: KeyPath<Model, Value>) -> Column {
    let key = KeyPathKey(keyPath: keyPath)
    return Column { query in
      let value = try query.value(key.keyPath)
      return Selected(value, name: "\(key.keyPath)", orders: try query.translator.sortKeys(value))
    }
  }
}

extension Column where Value == PersistentIdentifier {
  /// The identifier of the row's model.
  public static var persistentModelID: Column {
    Column { query in try query.identifier(query.root, name: "persistentModelID") { $0 } }
  }
}

extension Column where Value == PersistentIdentifier? {
  /// The identifier of the model that a to-one relationship refers to.
  public static func identifier<Related: PersistentModel>(_ keyPath: KeyPath<Model, Related?>) -> Column {
    let key = KeyPathKey(keyPath: keyPath)
    return Column { try $0.identifier(of: key.keyPath) }
  }

  /// The identifier of the model that a to-one relationship refers to.
  public static func identifier<Related: PersistentModel>(_ keyPath: KeyPath<Model, Related>) -> Column {
    let key = KeyPathKey(keyPath: keyPath)
    return Column { try $0.identifier(of: key.keyPath) }
  }
}

extension QueryBuilder {
  fileprivate func identifier(of keyPath: AnyKeyPath) throws -> Selected<PersistentIdentifier?> {
    guard case .row(let row) = try term(keyPath) else {
      throw SwiftDataError.unsupportedKeyPath(
        "`\(keyPath)` is no to-one relationship of \(root.entity.name).", model: root.entity.name)
    }
    return try identifier(row, name: "\(keyPath)") { .some($0) }
  }

  /// Only a row's type column says of which class it is, so that keys alone do not do for inherited models.
  fileprivate func identifier<Value>(
    _ row: RowTerm, name: String, _ wrap: @escaping (PersistentIdentifier) -> Value
  ) throws -> Selected<Value> {
    if row.entity.isMixed {
      throw SwiftDataError.unsupportedKeyPath(
        "`\(name)` may refer to models of several classes: select an attribute of it.", model: root.entity.name)
    }
    let scopes = (
      stored: IdentifierScope(storeIdentifier: translator.storeIdentifier, entityName: row.entity.name),
      temporary: TemporaryScopes.scope(entityName: row.entity.name)
    )
    return Selected(row.presentKey ?? row.key, name: name) { value in
      switch value {
      case .integer(let key): wrap(PersistentIdentifier(scope: key < 0 ? scopes.temporary : scopes.stored, key: key))
      case .null: Selected<Value>.noValue
      default: nil
      }
    }
  }
}
