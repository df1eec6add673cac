public import Observation

/// A class whose instances are rows of a store. Conform with `@Model`, never by hand.
///
/// ```swift
/// @Model final class Note {
///   var title: String
///   init(title: String) { self.title = title }
/// }
/// ```
/// Source: SwiftData's `PersistentModel`.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// The root class of an inheritance chain; the model itself when it inherits from none.
  associatedtype Root: PersistentModel = Self

  @_documentation(visibility: private)
  associatedtype _$Unstored: _UnstoredProperties = _NoUnstoredProperties

  /// Makes an instance that reads its values from `backingData`, without running the class's own initialisers.
  init(backingData: any BackingData<Self>)

  /// The values behind the instance.
  var persistentBackingData: any BackingData<Self> { get set }

  /// One entry a persisted property, written by the macro.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }

  @_documentation(visibility: private)
  var _$stateAddress: _StateAddress { get }
  @_documentation(visibility: private)
  init(_$row row: inout _RowReader)
  @_documentation(visibility: private)
  static func _$collect(_ rows: inout _ModelRows) throws -> [AnyObject]
  @_documentation(visibility: private)
  func _$read(_ row: inout _RowReader)
  @_documentation(visibility: private)
  func _$write(_ row: inout _RowWriter)
  @_documentation(visibility: private)
  func _$edit(_ edit: inout _SlotEdit, at index: Int)
}

extension PersistentModel {
  /// The stable identity of the model: temporary until the first successful save, and kept by a deleted model.
  public var persistentModelID: PersistentIdentifier {
    if _$isDuplicate { return _$registered.persistentModelID }
    if let scope = _$state.rowScope { return PersistentIdentifier(scope: scope, key: _$state.key) }
    return PersistentIdentifier(scope: TemporaryScopes.scope(entityName: dynamicType.entityName), key: _$temporaryKey())
  }

  /// The same as ``persistentModelID``; a model may declare an `id` of its own instead.
  public var id: PersistentIdentifier { persistentModelID }

  /// The context the model is registered with: nil before insertion, after its deletion is saved, or after rollback.
  ///
  /// Whoever saved the deletion: another context's leaves the model with the values that it had.
  public var modelContext: ModelContext? {
    if _$isDuplicate { return _$registered.modelContext }
    return _$state.flags.contains(.vanished) ? nil : _$state.core?.context
  }

  /// Whether the model was inserted, edited or deleted since the last save.
  public var hasChanges: Bool {
    if _$isDuplicate { return _$registered.hasChanges }
    return _$state.flags.contains(.inserted) || _$state.hasChangedProperties
      || (_$state.flags.contains(.deleted) && _$state.hasCore)
  }

  /// Whether the model is to be deleted by the next save, or has been.
  public var isDeleted: Bool {
    _$isDuplicate ? _$registered.isDeleted : !_$state.flags.isDisjoint(with: [.deleted, .vanished])
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Here, so that no class derives one of its own: Swift 6.3.1's compiler crashes now and then on those that others
  /// inherit.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }

  /// The entity's name in the schema.
  package static var entityName: String { Schema.entityName(for: Self.self) }

  /// The key by which an instance without a row is known; handed out on first use.
  func _$temporaryKey() -> Int64 {
    if _$state.key == 0, _$state.registered == nil { _$state.key = TemporaryKeys.next() }
    return _$state.key
  }
}
