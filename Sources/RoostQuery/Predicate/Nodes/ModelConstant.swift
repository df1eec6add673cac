public import Foundation
public import RoostCore

/// A captured model, to be compared with a relationship or with the fetched model itself.
@_documentation(visibility: private)
public struct _ModelConstant<Model: PersistentModel>: PredicateExpression, @unchecked Sendable {
  // SAFETY: the model is compared, never read: `==` looks at its identity only.
  public typealias Output = Model?
  public let model: Model?

  public init(_ model: Model?) { self.model = model }

  public func evaluate(_ bindings: PredicateBindings) throws -> Model? { model }
}

extension _ModelConstant: _UnarchivableExpression {}
