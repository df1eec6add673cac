/// A type a to-many relationship may have: an array or a set of models, optional or not.
///
/// Source: SwiftData's `RelationshipCollection`, which `Set` alone does not conform to there.
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

extension Set: RelationshipCollection where Element: PersistentModel {
  public typealias PersistentElement = Element

  public static var _isOptional: Bool { false }
  public static func _make(_ models: [Element]?) -> Set<Element> { Set(models ?? []) }
  public var _models: [Element]? { Array(self) }
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

extension RelationshipCollection {
  /// A model is in a list once.
  var _distinctModels: [PersistentElement]? {
    guard let models = _models?._$registered, models.count > 1 else { return _models?._$registered }
    var seen: Set<ObjectIdentifier> = []
    return models.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The members that a set did not show, as the program calls them equal to another one: they stay where one of that
  /// kind does. None of an array, which shows all.
  static func _hidden(
    among former: [PersistentElement], behind assigned: [PersistentElement]
  ) -> [PersistentElement] {
    guard !former.isEmpty, let shown = _make(former)._models, shown.count < former.count else { return [] }
    let (known, kept) = (Set((shown + assigned).map { ObjectIdentifier($0) }), Set(assigned))
    return former.filter { !known.contains(ObjectIdentifier($0)) && kept.contains($0) }
  }
}
