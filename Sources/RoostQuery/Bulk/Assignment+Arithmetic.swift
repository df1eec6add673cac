internal import Foundation
public import RoostCore
internal import RoostSQL

/// Adds to a property in each row. A sum too large for the type fails the update.
public func += <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .add, value) }

/// Adds to a property in each row where it is not nil.
public func += <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value?>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .add, value) }

/// Adds another property to a property in each row.
public func += <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, other: KeyPath<Model, Value>
) -> Assignment<Model> { Assignment(keyPath, .add, other) }

/// Subtracts from a property in each row. A difference too small for the type fails the update.
public func -= <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .subtract, value) }

/// Subtracts from a property in each row where it is not nil.
public func -= <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value?>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .subtract, value) }

/// Subtracts another property from a property in each row.
public func -= <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, other: KeyPath<Model, Value>
) -> Assignment<Model> { Assignment(keyPath, .subtract, other) }

/// Multiplies a property in each row. A product too large for the type fails the update.
public func *= <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .multiply, value) }

/// Multiplies a property in each row where it is not nil.
public func *= <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value?>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .multiply, value) }

/// Multiplies a property by another in each row.
public func *= <Model: PersistentModel, Value: Numeric>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, other: KeyPath<Model, Value>
) -> Assignment<Model> { Assignment(keyPath, .multiply, other) }

/// Divides an integer in each row, as Swift does. Zero fails the update.
public func /= <Model: PersistentModel, Value: BinaryInteger>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .divide, value) }

/// Divides a property in each row.
public func /= <Model: PersistentModel, Value: FloatingPoint>(
  keyPath: ReferenceWritableKeyPath<Model, Value>, value: Value
) -> Assignment<Model> { Assignment(keyPath, .divide, value) }

extension Assignment {
  fileprivate init<Value: Numeric>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value>, _ operation: NumericOperation, _ value: Value
  ) {
    self.init(keyPath) { query in
      try query.translator.compute(
        query.whole(keyPath), operation, .constant(value), type: Value.self,
        PredicateExpressions.Value("\(keyPath.sourceText) \(operation.sql.rawValue)= \(value)"))
    }
  }

  fileprivate init<Value: Numeric>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value>, _ operation: NumericOperation, _ other: KeyPath<Model, Value>
  ) {
    self.init(keyPath) { query in
      try query.translator.compute(
        query.whole(keyPath), operation, query.whole(other), type: Value.self,
        PredicateExpressions.Value("\(keyPath.sourceText) \(operation.sql.rawValue)= \(other.sourceText)"))
    }
  }

  fileprivate init<Value: Numeric>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value?>, _ operation: NumericOperation, _ value: Value
  ) {
    self.init(keyPath) { query in
      let (term, translator) = (try query.whole(keyPath), query.translator)
      guard case .optional(let isNil, let wrapped) = term else { return term }
      return .optional(
        isNil: isNil,
        try translator.guarded(by: .negation(isNil)) {
          try translator.compute(
            wrapped, operation, .constant(value), type: Value.self,
            PredicateExpressions.Value("\(keyPath.sourceText) \(operation.sql.rawValue)= \(value)"))
        })
    }
  }
}
