/// Has no value of its own: initialising it is how expanded code tells the compiler that a property is initialised.
@_documentation(visibility: private)
public struct _SwiftDataNoType: Sendable {
  @inlinable public init() {}
}

/// How many persisted properties a model class has, its superclasses' included.
@_documentation(visibility: private)
public func _propertyCount(_ type: any PersistentModel.Type) -> Int {
  type.allMetadata.count { $0.keyPath != nil }
}

/// The storage of an attribute marked `.transformable(by:)`.
@_documentation(visibility: private)
public func _transformableStorage<T: AttributeTransformer>(
  for type: T.Value.Type, by transformer: T.Type
) -> _Attribute<_TransformerCodec<T>> { .init() }

@_documentation(visibility: private)
public func _transformableStorage<T: AttributeTransformer>(
  for type: T.Value?.Type, by transformer: T.Type
) -> _Attribute<_OptionalCodec<_TransformerCodec<T>>> { .init() }

@_documentation(visibility: private)
public func _transformableStorage<Value, Name: _TransformerName>(
  for type: Value.Type, by name: Name.Type
) -> _Attribute<_NamedTransformerCodec<Name, Value>> { .init() }

@_documentation(visibility: private)
public func _transformableStorage<Value, Name: _TransformerName>(
  for type: Value?.Type, by name: Name.Type
) -> _Attribute<_OptionalCodec<_NamedTransformerCodec<Name, Value>>> { .init() }

/// The storage of an attribute marked `.codable`: opaque to queries.
@_documentation(visibility: private)
public func _codableStorage<T: Codable>(for type: T.Type) -> _Attribute<_OpaqueCodec<T>> { .init() }

@_documentation(visibility: private)
public func _codableStorage<T: Codable>(for type: T?.Type) -> _Attribute<_OptionalCodec<_OpaqueCodec<T>>> { .init() }
