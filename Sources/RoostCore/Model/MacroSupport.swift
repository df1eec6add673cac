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
@available(*, unavailable, message: "Transformable attributes are not supported yet; make the type Codable.")
@_documentation(visibility: private)
public func _transformableStorage<T>(for type: T.Type) -> _Attribute<_JSONCodec<Bool>> { .init() }

/// The storage of an attribute marked `.codable`: JSON, opaque to queries.
@_documentation(visibility: private)
public func _codableStorage<T: Codable>(for type: T.Type) -> _Attribute<_JSONCodec<T>> { .init() }

@_documentation(visibility: private)
public func _codableStorage<T: Codable>(for type: T?.Type) -> _Attribute<_OptionalCodec<_JSONCodec<T>>> { .init() }
