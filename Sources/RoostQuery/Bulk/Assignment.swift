public import Foundation
public import RoostCore
internal import RoostSQL

/// A new value of a property in each row that an update in bulk changes; see ``ModelContext/update(model:where:set:)``.
///
/// ```swift
/// \.count += 1                          // also -=, *= and /=, by a value or another property
/// .set(\.isDone, to: true)              // a value; of a relationship a model, or nil
/// .set(\.shown, to: \.count)            // another property
/// .set(\.words, to: #Expression { $0.title.count + $0.body.count })
/// ```
/// All of them see the row as it was before the update. nil stays nil in arithmetic.
public struct Assignment<Model: PersistentModel> {
  let keyPath: PartialKeyPath<Model>
  let term: (QueryBuilder) throws -> Term
  /// Gives a model the value that the column would have.
  let edit: (Model, SQLValue, PropertyInfo) -> Void

  init<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value>, _ term: @escaping (QueryBuilder) throws -> Term
  ) {
    self.keyPath = keyPath
    self.term = term
    edit = { model, stored, property in
      func decode<Codec: _AttributeCodec>(_ codec: Codec.Type) -> Value? { Codec.decode(stored) as? Value }
      guard case .attribute(let codec) = property.kind, let value = decode(codec) else { return }
      model[keyPath: keyPath] = value
    }
  }

  /// Sets a property to a value; a to-one relationship to a saved model of the context, or to nil.
  public static func set<Value>(_ keyPath: ReferenceWritableKeyPath<Model, Value>, to value: Value) -> Assignment {
    Assignment(keyPath: keyPath, term: { _ in .constant(value) }) { model, _, _ in
      model[keyPath: keyPath] = value
    }
  }

  /// Sets a property to the value of another, also through to-one relationships: `\.author?.name`.
  public static func set<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value>, to other: KeyPath<Model, Value>
  ) -> Assignment {
    Assignment(keyPath) { try $0.whole(other) }
  }

  /// Sets a property that may be nil to the value of one that may not.
  public static func set<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value?>, to other: KeyPath<Model, Value>
  ) -> Assignment {
    Assignment(keyPath) { try $0.whole(other) }
  }

  /// Sets a property to what an expression makes of each row.
  public static func set<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value>, to expression: Foundation.Expression<Model, Value>
  ) -> Assignment {
    Assignment(keyPath) { try $0.term(of: expression) }
  }

  /// Sets a property that may be nil to what an expression makes of each row.
  public static func set<Value>(
    _ keyPath: ReferenceWritableKeyPath<Model, Value?>, to expression: Foundation.Expression<Model, Value>
  ) -> Assignment {
    Assignment(keyPath) { try $0.term(of: expression) }
  }
}

extension Assignment {
  private init(
    keyPath: PartialKeyPath<Model>, term: @escaping (QueryBuilder) throws -> Term,
    edit: @escaping (Model, SQLValue, PropertyInfo) -> Void
  ) {
    self.keyPath = keyPath
    self.term = term
    self.edit = edit
  }
}

extension QueryBuilder {
  fileprivate func term<Model: PersistentModel, Value>(
    of expression: Foundation.Expression<Model, Value>
  ) throws -> Term {
    try translator.binding(expression.variable, to: .row(root)) { try translator.term(expression.expression) }
  }
}
