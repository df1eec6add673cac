public import Foundation
public import RoostCore

/// `$0.body.matches("…")`, of one property of a model, of several, or of all in its index.
@_documentation(visibility: private)
public struct _FullTextMatch<Base: PredicateExpression>: PredicateExpression where Base.Output: PersistentModel {
  public typealias Output = Bool
  /// The model.
  public let base: Base
  /// None for all properties of the model's index.
  public let properties: [any AnyKeyPath & Sendable]
  public let query: FullTextQuery

  public init(base: Base, properties: [any AnyKeyPath & Sendable], query: FullTextQuery) {
    self.base = base
    self.properties = properties
    self.query = query
  }

  public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    let model = try base.evaluate(bindings)
    let schema = model._$state.core?.schema ?? SchemaInfo.standalone(type(of: model))
    guard let entity = schema?.entity(for: Base.Output.self) else {
      throw SwiftDataError.modelNotInSchema(Base.Output.self)
    }
    let place = try entity.fullTextPlace(of: properties)
    let texts = place.properties.map { model[keyPath: $0.keyPath] as? String }
    return try FullTextJudge.matches(texts, query, place.index.tokenizer)
  }
}

extension _FullTextMatch: Sendable where Base: Sendable {}
extension _FullTextMatch: Codable where Base: StandardPredicateExpression {}
extension _FullTextMatch: StandardPredicateExpression where Base: StandardPredicateExpression {}
extension _FullTextMatch: _UnarchivableExpression where Base: StandardPredicateExpression {}

extension _PredicateBuilder {
  public static func matches<Root: Node>(
    _ base: PredicateExpressions.KeyPath<Root, String>, value: FullTextQuery
  ) -> _FullTextMatch<Root> where Root.Output: PersistentModel {
    .init(base: base.root, properties: [base.keyPath], query: value)
  }
  public static func matches<Root: Node>(
    _ base: PredicateExpressions.KeyPath<Root, String?>, value: FullTextQuery
  ) -> _FullTextMatch<Root> where Root.Output: PersistentModel {
    .init(base: base.root, properties: [base.keyPath], query: value)
  }
  public static func matches<Root: Node>(_ base: Root, value: FullTextQuery) -> _FullTextMatch<Root>
  where Root.Output: PersistentModel { .init(base: base, properties: [], query: value) }

  @available(
    *, unavailable,
    message: "only a model's property, or the model, has matches(_:); write $0.body.matches(…), without ?. behind body"
  )
  @_disfavoredOverload
  public static func matches<Root: Node>(_ base: Root, value: FullTextQuery) -> PredicateExpressions.Value<Bool> {
    .init(false)
  }
}
