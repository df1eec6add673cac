/// A type a to-many relationship may have: an array of models, or an optional array or set of them.
///
/// Source: SwiftData's `RelationshipCollection`.
public protocol RelationshipCollection {
  /// The model class.
  associatedtype PersistentElement: PersistentModel

  @_documentation(visibility: private)
  static var _isOptional: Bool { get }
  @_documentation(visibility: private)
  static func _make(_ models: [PersistentElement]?) -> Self
  @_documentation(visibility: private)
  var _models: [PersistentElement]? { get }
}

extension Array: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element

  public static var _isOptional: Bool { false }
  public static func _make(_ models: [Element]?) -> [Element] { models ?? [] }
  public var _models: [Element]? { self }
}

extension Optional: RelationshipCollection where Wrapped: Sequence, Wrapped.Element: PersistentModel {
  public typealias PersistentElement = Wrapped.Element

  public static var _isOptional: Bool { true }

  public static func _make(_ models: [Wrapped.Element]?) -> Wrapped? {
    guard let models else { return nil }
    return models as? Wrapped ?? Set(models) as? Wrapped
  }

  public var _models: [Wrapped.Element]? { map { Array($0) } }
}
