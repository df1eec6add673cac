/// Where a model keeps one persisted property: the value itself, or what stands for a relationship.
///
/// Which kind a property has is decided by `_storage(for:)`'s overloads, never by the macro.
@_documentation(visibility: private)
public protocol _PropertySlot {
  associatedtype Value
  init()
  /// False until a value was set or read from the store.
  var isLoaded: Bool { get }
  /// Forgets the value, so that the next access reads the store again.
  mutating func unload()
  static var kind: _PropertyKind { get }
}

/// What a property is, as its type says.
@_documentation(visibility: private)
public enum _PropertyKind: @unchecked Sendable {
  // SAFETY: metatypes are immutable and shared by all threads.
  case attribute(any _AttributeCodec.Type, isExternal: Bool)
  case toOne(any PersistentModel.Type, isOptional: Bool)
  case toMany(any PersistentModel.Type, isOptional: Bool)
}

/// Names the type of an expression that is never evaluated: for properties declared without a type.
@_documentation(visibility: private)
public func _typeOf<T>(_ expression: @autoclosure () -> T) -> T.Type { T.self }

/// A slot of an expression's type. The expression is never evaluated, and may name conformances of the main actor's.
@inlinable @_documentation(visibility: private)
public func _slot<Slot: _PropertySlot>(_ expression: @autoclosure @MainActor () -> Slot) -> Slot { .init() }

@inlinable @_documentation(visibility: private)
public func _storage<T: _NativeValue>(for type: T.Type) -> _Attribute<_Native<T>> { .init() }
@inlinable @_documentation(visibility: private)
public func _storage<T: _NativeValue>(for type: T?.Type) -> _Attribute<_OptionalCodec<_Native<T>>> { .init() }
@inlinable @_documentation(visibility: private)
public func _storage<T: RawRepresentable & Codable>(for type: T.Type) -> _Attribute<_RawCodec<T>>
where T.RawValue: _NativeValue { .init() }
@inlinable @_documentation(visibility: private)
public func _storage<T: RawRepresentable & Codable>(for type: T?.Type) -> _Attribute<_OptionalCodec<_RawCodec<T>>>
where T.RawValue: _NativeValue { .init() }
@_disfavoredOverload @inlinable @_documentation(visibility: private)
public func _storage<T: Codable>(for type: T.Type) -> _Attribute<_JSONCodec<T>> { .init() }
@_disfavoredOverload @inlinable @_documentation(visibility: private)
public func _storage<T: Codable>(for type: T?.Type) -> _Attribute<_OptionalCodec<_JSONCodec<T>>> { .init() }
@inlinable @_documentation(visibility: private)
public func _storage<M: PersistentModel>(for type: M?.Type) -> _ToOne<M> { .init() }
@inlinable @_documentation(visibility: private)
public func _storage<M: PersistentModel>(for type: M.Type) -> _RequiredToOne<M> { .init() }
@inlinable @_documentation(visibility: private)
public func _storage<C: RelationshipCollection>(for type: C.Type) -> _ToMany<C> { .init() }

/// What the compiler says of a type that none of the others take: it would only name them otherwise.
@available(
  *, unavailable,
  message:
    "a persisted property holds a Codable value, a model or several; make the type Codable, or mark the property @Transient"
)
@_disfavoredOverload @_documentation(visibility: private)
public func _storage<T>(for type: T.Type) -> _Attribute<_JSONCodec<T>> { .init() }
