public import RoostCore
import RoostSQL

extension SQL {
  /// What a literal of ``SQL`` may have in `\(…)`.
  public struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    /// Begins a literal; what the compiler calls.
    public init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    /// Adds what is written in the literal itself.
    public mutating func appendLiteral(_ literal: StaticString) { parts.append(.text(literal.description)) }

    /// Puts SQL in as it is, with its values.
    public mutating func appendInterpolation(_ sql: SQL) { parts += sql.parts }

    // MARK: - Values

    /// Binds text.
    public mutating func appendInterpolation(_ value: String) { parts.append(.value(.text(value))) }

    /// Binds a value in the form in which an attribute of its type is stored.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: Encodable>(_ value: Value) { append(value) }

    /// Binds a value, or `NULL` for nil.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: Encodable>(_ value: Value?) {
      if let value { append(value) } else { parts.append(.value(.null)) }
    }

    /// Binds a list for `IN`.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: Encodable>(_ values: [Value]) { append(values) }

    /// Binds a list for `IN`.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: Encodable>(_ values: Set<Value>) { append(Array(values)) }

    /// Binds the JSON text that an attribute of the type has, also where the type has a form of its own.
    public mutating func appendInterpolation<Value: Encodable>(json value: Value) {
      do { parts.append(.value(.text(try JSONText.encode(value)))) } catch { parts.append(.refused(error)) }
    }

    private mutating func append(_ value: some Encodable) {
      if let identifier = value as? PersistentIdentifier { return parts.append(.identifier(identifier)) }
      do { parts.append(.value(try StoredValue.encode(value))) } catch { parts.append(.refused(error)) }
    }

    private mutating func append(_ values: [some Encodable]) {
      if let identifiers = values as? [PersistentIdentifier] { return parts.append(.identifiers(identifiers)) }
      do { parts.append(.list(try values.map { try StoredValue.encode($0) })) } catch { parts.append(.refused(error)) }
    }

    // MARK: - Models

    /// Binds a model's key.
    public mutating func appendInterpolation<Model: PersistentModel>(_ model: Model) {
      parts.append(.identifier(model.persistentModelID))
    }

    /// Binds a model's key, or `NULL` for nil.
    public mutating func appendInterpolation<Model: PersistentModel>(_ model: Model?) {
      parts.append(model.map { .identifier($0.persistentModelID) } ?? .value(.null))
    }

    /// Binds models' keys as a list for `IN`.
    public mutating func appendInterpolation<Model: PersistentModel>(_ models: [Model]) {
      parts.append(.identifiers(models.map(\.persistentModelID)))
    }

    /// Names a model's table. A subclass's is its root's, with the rows of all classes.
    public mutating func appendInterpolation<Model: PersistentModel>(_ model: Model.Type) {
      parts.append(.table(model))
    }

    /// Names a property's column, without its table.
    public mutating func appendInterpolation<Model: PersistentModel, Value>(_ property: KeyPath<Model, Value>) {
      parts.append(.column(Model.self, KeyPathKey(keyPath: property), isQualified: false))
    }

    /// Names a property's column with its table in front, for joins.
    public mutating func appendInterpolation<Model: PersistentModel, Value>(
      _ model: Model.Type, _ property: KeyPath<Model, Value>
    ) {
      parts.append(.column(Model.self, KeyPathKey(keyPath: property), isQualified: true))
    }
  }
}
