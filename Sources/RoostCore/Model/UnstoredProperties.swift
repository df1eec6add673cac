/// A model's computed and `@Transient` properties, each as its key path and deprecated with a message that says why.
///
/// What the model's macro declares, for the compiler to warn where a predicate names one.
@_documentation(visibility: private)
public protocol _UnstoredProperties {
  init()
}

/// Those of a model that has none, or whose macro was not asked.
@_documentation(visibility: private)
public struct _NoUnstoredProperties: _UnstoredProperties {
  public init() {}
}

/// The key path itself, as a type that a predicate's node can have.
@_documentation(visibility: private)
public func _path<Model: PersistentModel, Value>(_ path: KeyPath<Model, Value>) -> KeyPath<Model, Value> { path }
