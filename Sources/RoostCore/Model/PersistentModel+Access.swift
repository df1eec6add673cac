import Observation

// What the accessors that the macro writes call.
extension PersistentModel {
  /// Tells whoever observes that a property is read.
  ///
  /// Call it in a computed property that keeps its value elsewhere, as with `@Observable`.
  public func access<Member>(keyPath: KeyPath<Self, Member>) {
    if _$state._isWatched { _$access(keyPath) }
  }

  /// Runs `mutation`, telling whoever observes that a property changes.
  public func withMutation<Member, MutationResult>(
    keyPath: KeyPath<Self, Member>, _ mutation: () throws -> MutationResult
  ) rethrows -> MutationResult {
    let model = _$registered
    let registrar = model._$state.observe()
    return try registrar.withMutation(of: model, keyPath: keyPath, mutation)
  }

  /// What a getter does first when the model is watched.
  @_documentation(visibility: private)
  public func _$access<Member>(_ keyPath: KeyPath<Self, Member>) {
    if let probe = _$state.probe { return probe.note(self, keyPath) }
    if _$isDuplicate { return _$accessRegistered(keyPath) }
    _$state.core?.insertWaiting()
    // A model that nobody tracks never has a registrar.
    if _$state.registrar != nil || ObservationProbe.isTracking {
      _$state.observe().access(self, keyPath: keyPath)
    } else if _$state.core?.isAwaited != true {
      _$state.needsAttention = false
    }
  }

  @_documentation(visibility: private)
  public func _$willSet<Member>(_ index: Int, _ keyPath: @autoclosure () -> KeyPath<Self, Member>) {
    let address = _$stateAddress
    if address.state.flags.contains(.duplicate) { return }
    if address.state.isObserved, let registrar = address.state.registrar {
      address.state.core?.insertWaiting()
      // Before the change is noted: an observer that saves or rolls back must not take it for one that is made.
      registrar.willSet(self, keyPath: keyPath())
      // What a relationship is now decides whom the change concerns.
      if _$info(index)?.relationship != nil, !_$edit(index, .collect).wasLoaded { _$load(index) }
    }
    address.state.withCore { core in
      core.insertWaiting()
      // What would be refused is no change.
      if address.state.flags.contains(.deleted), core.isAttached, _$info(index)?.relationship != nil { return }
      core.willChange(self, index)
    }
  }

  // In the program's own setters, so that most stop here: a model that is observed needs attention.
  @inlinable @_documentation(visibility: private)
  public func _$didSet<Member>(_ keyPath: @autoclosure () -> KeyPath<Self, Member>) {
    if _$state.needsAttention { _$tellDidSet(keyPath()) }
  }

  @usableFromInline
  func _$tellDidSet<Member>(_ keyPath: KeyPath<Self, Member>) {
    if _$isDuplicate { return _$setRegistered(keyPath) }
    if let registrar = _$state.registrar { registrar.didSet(self, keyPath: keyPath) }
  }

  /// Reads what is missing from the store.
  @_documentation(visibility: private)
  public func _$load(_ index: Int) {
    if _$isDuplicate { return _$loadRegistered(index) }
    if let core = _$state.core { core.load(self, index) } else { _$state.probe?.fill(self, index) }
  }

  /// What an attribute reads as when there is no row to read it from.
  @_documentation(visibility: private)
  public func _$fallback<Codec: _AttributeCodec>(_ index: Int, _ codec: Codec.Type) -> Codec.Value {
    if let value = _$info(index).map({ $0.placeholder(codec) }) ?? Placeholder.attribute(codec) { return value }
    // No container is made with such a property.
    fatalError(
      """
      \(Self.self).\(_$info(index)?.name ?? "property \(index)") has no value, and its type, \(Codec.Value.self), refuses \
      to be decoded from examples. Give the property a default value or make it optional.
      """)
  }

  /// What the model's own schema knows of a property; unlike `_$info`, it leaves the model's state alone.
  func _$standaloneInfo(_ index: Int) -> PropertyInfo? {
    SchemaInfo.standalone(Self.self)?.entity(for: Self.self)?.properties[index]
  }

  /// What the schema knows of a property: the container's schema, or the model's own while it is in none.
  package func _$info(_ index: Int) -> PropertyInfo? {
    let entity =
      if let core = _$state.core { core.schema.entities[_$state.ordinal] } else {
        SchemaInfo.standalone(Self.self)?.entity(for: Self.self)
      }
    guard let entity, entity.properties.indices.contains(index) else { return nil }
    return entity.properties[index]
  }

  /// Applies an edit to one slot.
  @discardableResult
  package func _$edit(_ index: Int, _ operation: __owned _SlotEdit.Operation) -> _SlotEdit {
    let (refersAnew, joined) = (operation.refersAnew, operation.joined)
    var edit = _SlotEdit(operation)
    _$edit(&edit, at: index)
    if refersAnew { _$state.withCore { $0.pending.noteReference(of: self, index, joined: joined) } }
    return edit
  }

  /// Forgets what was read, so that the next access reads the store again.
  func _$unload() {
    var row = _RowReader()
    _$read(&row)
    _$state.flags.insert(.shell)
  }
}
