/// The slot of an attribute: its value, inline.
@_documentation(visibility: private)
public struct _Attribute<Codec: _AttributeCodec>: _PropertySlot {
  public typealias Value = Codec.Value

  /// nil: not read from the store yet.
  @usableFromInline var value: Codec.Value?

  @inlinable public init() { value = nil }

  @inlinable public var isLoaded: Bool { value != nil }

  @inlinable public mutating func unload() { value = nil }

  public static var kind: _PropertyKind { .attribute(Codec.self, isExternal: false) }

  /// The value. After a read that found no row it is the declared default, or the type's empty value.
  @inlinable
  public func get<M: PersistentModel>(_ model: M, _ index: Int) -> Codec.Value {
    if let value { return value }
    return model._$fallback(index, Codec.self)
  }

  @inlinable
  public mutating func assign(_ newValue: Codec.Value) -> _NoRelationship {
    value = newValue
    return _NoRelationship()
  }

  @inlinable
  public mutating func initialize<M: PersistentModel>(
    _ initialValue: Codec.Value, _ state: inout _ModelState, _ index: Int, _ owner: M.Type
  ) {
    value = initialValue
  }

  @inlinable
  public mutating func initialize<M: PersistentModel>(
    _ initialValue: Codec.Value, _ index: Int, _ owner: M.Type
  ) {
    value = initialValue
  }
}

/// What setting an attribute does to other models: nothing.
@_documentation(visibility: private)
public struct _NoRelationship {
  @inlinable init() {}
  @inlinable public func apply<M: PersistentModel>(to model: M, _ index: Int) {}
}
