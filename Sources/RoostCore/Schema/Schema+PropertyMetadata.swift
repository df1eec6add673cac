import Observation

extension Schema {
  /// What a model type says of one of its properties, or of its constraints and indexes. Written by `@Model`.
  ///
  /// Source: SwiftData's `Schema.PropertyMetadata`.
  public struct PropertyMetadata {
    /// The property's name; empty for constraints and indexes.
    package let name: String
    /// The property's key path; nil for constraints and indexes.
    package let keyPath: AnyKeyPath?
    /// What the property is, when its slot tells.
    package let kind: _PropertyKind?
    package let valueType: any Any.Type
    /// Evaluates the declared default, which may have effects or differ each time.
    package let defaultValue: @Sendable () -> Any?
    /// What `@Attribute` or `@Relationship` was given.
    package let metadata: (any SchemaProperty)?
    /// The same property seen through an optional model, `\Note?.?.title`.
    package let chained: (@Sendable () -> AnyKeyPath)?
    /// The properties of all superclasses, the root's first, as the class names them; see `_InheritedKeyPath`.
    package private(set) var inherited: [_InheritedKeyPath] = []
    /// The model's name in an earlier version.
    private(set) var entityOriginalName: String?
    package let unique: [[AnyKeyPath]]
    /// What `#Unique(onConflict:)` was given.
    let uniquenessPolicy: Schema.UniquenessPolicy?
    package let indices: [[AnyKeyPath]]
    package let rtreeIndices: [[AnyKeyPath]]
    /// The properties of each full-text index, and how all of them take texts apart.
    let fullText: (indices: [[AnyKeyPath]], tokenizer: FullTextTokenizer)

    /// Tells a model's observers that the property will change (true) or has changed.
    typealias Notify = @Sendable (ObservationRegistrar, any PersistentModel, Bool) -> Void
    let notify: Notify?
    /// Gives the second model the first one's value.
    let copy: ((any PersistentModel, any PersistentModel) -> Void)?
    /// Sets a `let` of a model, whose key path is not writable.
    package typealias Assign = (any PersistentModel, Any) -> Void
    let assign: Assign?

    private init(
      name: String, keyPath: AnyKeyPath?, kind: _PropertyKind?, valueType: any Any.Type,
      defaultValue: @escaping @Sendable () -> Any?, metadata: (any SchemaProperty)?,
      chained: (@Sendable () -> AnyKeyPath)?, notify: Notify? = nil,
      copy: ((any PersistentModel, any PersistentModel) -> Void)? = nil, assign: Assign? = nil
    ) {
      let lists = metadata as? any KeyPathLists
      self.name = name
      self.keyPath = keyPath
      self.kind = kind
      self.valueType = valueType
      self.defaultValue = defaultValue
      self.metadata = metadata
      self.chained = chained
      self.notify = notify
      self.copy = copy
      self.assign = assign
      unique = lists?.uniqueKeyPaths ?? []
      uniquenessPolicy = lists?.uniquenessPolicy
      indices = lists?.indexKeyPaths ?? []
      rtreeIndices = lists?.rtreeKeyPaths ?? []
      fullText = (lists?.fullTextKeyPaths ?? [], lists?.fullTextTokenizer ?? .unicode61)
    }

    /// Describes a property by hand, as code generated for SwiftData does.
    ///
    /// Roost cannot keep such a property, as it does not know the slot: use `@Model`.
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
    ) {
      let value = UncheckedValue(value: defaultValue)
      let isConstraint = metadata is any KeyPathLists
      self.init(
        name: isConstraint ? "" : name, keyPath: isConstraint ? nil : keypath, kind: nil,
        valueType: Swift.type(of: keypath).valueType, defaultValue: { value.value }, metadata: metadata, chained: nil)
    }

    @_documentation(visibility: private)
    public init<M: PersistentModel, V, S: _PropertySlot>(
      name: String, keypath: KeyPath<M, V>, slot: KeyPath<M, S>,
      chained: (@Sendable () -> AnyKeyPath)? = nil,
      defaultValue: @autoclosure @escaping @Sendable () -> Any? = nil, metadata: (any SchemaProperty)? = nil,
      coding: (@MainActor () -> (any Codable.Type)?)? = nil, assign: ((M, V) -> Void)? = nil
    ) {
      let observed = UncheckedKeyPath(keyPath: keypath)
      if let type = coding.map(Self.unisolated) ?? nil { CodableTypes.note(type) }
      self.init(
        name: name, keyPath: keypath, kind: S.kind, valueType: V.self, defaultValue: defaultValue, metadata: metadata,
        chained: chained,
        notify: { registrar, model, willChange in
          guard let model = model as? M else { return }
          if willChange {
            registrar.willSet(model, keyPath: observed.keyPath)
          } else {
            registrar.didSet(model, keyPath: observed.keyPath)
          }
        },
        copy: { source, target in
          guard let source = source as? M, let target = target as? M else { return }
          if let keyPath = keypath as? ReferenceWritableKeyPath<M, V> {
            target[keyPath: keyPath] = source[keyPath: keyPath]
          } else {
            assign?(target, source[keyPath: keypath])
          }
        },
        assign: assign.map { assign in
          { model, value in
            if let model = model as? M, let value = value as? V { assign(model, value) }
          }
        })
    }

    /// Calls a closure of the main actor's wherever this is.
    private static func unisolated<Result>(_ name: @MainActor () -> Result) -> Result {
      // SAFETY: `@MainActor` is no part of how a closure that does not suspend is laid out or called: both types are a
      // function and its context. `@Model` alone passes one, `{ Roost._coding(of: Value.self) }`, which returns a
      // metatype and reads or writes nothing that the main actor protects. It is marked so only because the conformance
      // it names may be the main actor's.
      withoutActuallyEscaping(name) { unsafeBitCast($0, to: (() -> Result).self)() }
    }

    @_documentation(visibility: private)
    public init<M: PersistentModel>(unique: Schema.Unique<M>) {
      self.init(
        name: "", keyPath: nil, kind: nil, valueType: M.self, defaultValue: { nil }, metadata: unique, chained: nil)
    }

    @_documentation(visibility: private)
    public init<M: PersistentModel>(index: Schema.Index<M>) {
      self.init(
        name: "", keyPath: nil, kind: nil, valueType: M.self, defaultValue: { nil }, metadata: index, chained: nil)
    }

    @_documentation(visibility: private)
    public init<M: PersistentModel>(fulltext: Schema.FullText<M>) {
      self.init(
        name: "", keyPath: nil, kind: nil, valueType: M.self, defaultValue: { nil }, metadata: fulltext, chained: nil)
    }

    @_documentation(visibility: private)
    public init<M: PersistentModel>(of type: M.Type, inherited: [_InheritedKeyPath]) {
      self.init(
        name: "", keyPath: nil, kind: nil, valueType: M.self, defaultValue: { nil }, metadata: nil, chained: nil)
      self.inherited = inherited
    }

    @_documentation(visibility: private)
    public init<M: PersistentModel>(of type: M.Type, originalName: String) {
      self.init(
        name: "", keyPath: nil, kind: nil, valueType: M.self, defaultValue: { nil }, metadata: nil, chained: nil)
      entityOriginalName = originalName
    }
  }
}

/// A property's key paths as a subclass writes them: `\Sub.name` is not equal to `\Base.name`, and only code that is
/// generic over the subclass can make it.
@_documentation(visibility: private)
public struct _InheritedKeyPath: @unchecked Sendable {
  // SAFETY: a key path that the macro wrote captures nothing and never changes.
  package let keyPath: AnyKeyPath
  package let chained: AnyKeyPath

  public init(_ keyPath: AnyKeyPath, chained: AnyKeyPath) {
    self.keyPath = keyPath
    self.chained = chained
  }
}

/// A key path that a `@Sendable` closure may hold.
private struct UncheckedKeyPath<Root, Value>: @unchecked Sendable {
  // SAFETY: a key path that the macro wrote captures nothing and never changes.
  let keyPath: KeyPath<Root, Value>
}

/// A default value given as such, not as an expression.
private struct UncheckedValue: @unchecked Sendable {
  // SAFETY: handed out as it came, once a row lacks a value; nothing here changes it.
  let value: Any?
}
