/// The slot of an attribute whose large values are in files: the value, the file it is in, or neither.
@_documentation(visibility: private)
public struct _External<Codec: _AttributeCodec>: _PropertySlot {
  public typealias Value = Codec.Value

  @usableFromInline var attribute = _Attribute<Codec>()
  /// The file that the row named when it was read or written. Without a value: the file is still to be read.
  var file: ExternalName?

  @inlinable public init() {}

  @inlinable public var isLoaded: Bool { attribute.isLoaded }

  public mutating func unload() {
    attribute.unload()
    file = nil
  }

  public static var kind: _PropertyKind { .attribute(Codec.self, isExternal: Codec.mayBeLarge) }

  @inlinable
  public func get<M: PersistentModel>(_ model: M, _ index: Int) -> Codec.Value { attribute.get(model, index) }

  public mutating func assign(_ newValue: Codec.Value) -> _NoRelationship {
    file = nil
    return attribute.assign(newValue)
  }

  @inlinable
  public mutating func initialize<M: PersistentModel>(
    _ initialValue: Codec.Value, _ state: inout _ModelState, _ index: Int, _ owner: M.Type
  ) {
    attribute.value = initialValue
  }

  @inlinable
  public mutating func initialize<M: PersistentModel>(_ initialValue: Codec.Value, _ index: Int, _ owner: M.Type) {
    attribute.value = initialValue
  }
}

/// The storage of an attribute marked `.externalStorage`.
@_documentation(visibility: private)
public func _externalStorage<Codec>(_ slot: _Attribute<Codec>) -> _External<Codec> { .init() }

@available(*, unavailable, message: "Only attributes can be .externalStorage, not relationships.")
@_disfavoredOverload @_documentation(visibility: private)
public func _externalStorage<Slot: _PropertySlot>(_ slot: Slot) -> Slot { slot }

extension _AttributeCodec {
  /// Whether values may be worth a file. All others are small.
  static var mayBeLarge: Bool { [.data, .string, .json].contains(semantics) }
}
