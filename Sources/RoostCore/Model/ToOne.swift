/// The slot of an optional to-one relationship.
///
/// In a context it holds the target's key, so that models that refer to each other do not keep each other alive;
/// outside one it holds the target itself.
@_documentation(visibility: private)
public struct _ToOne<Target: PersistentModel>: _PropertySlot {
  public typealias Value = Target?

  var reference = ToOneReference()

  public init() {}

  public var isLoaded: Bool { reference.isLoaded }

  public mutating func unload() { reference = ToOneReference() }

  public static var kind: _PropertyKind { .toOne(Target.self, isOptional: true) }

  public func get<M: PersistentModel>(_ model: M, _ index: Int) -> Target? {
    if model._$isDuplicate { return get(model._$registered, index) }
    return reference.shown(from: model, index, as: Target.self)
  }

  public mutating func assign(_ newValue: Target?) -> _ToOneChange<Target> {
    if newValue?._$isDuplicate ?? false { return assign(newValue?._$registered) }
    defer { reference = ToOneReference(object: newValue) }
    return _ToOneChange(old: reference, new: newValue)
  }

  public mutating func initialize<M: PersistentModel>(
    _ initialValue: Target?, _ state: inout _ModelState, _ index: Int, _ owner: M.Type
  ) {
    if initialValue?._$isDuplicate ?? false { return initialize(initialValue?._$registered, &state, index, owner) }
    reference = ToOneReference(object: initialValue)
    if let initialValue { InitializerLinks.link(&state, owner, index, to: initialValue) }
  }

  /// For classes that may have a superclass, whose state does not exist yet: the other side hears of it on insertion.
  public mutating func initialize<M: PersistentModel>(_ initialValue: Target?, _ index: Int, _ owner: M.Type) {
    reference = ToOneReference(unlinked: initialValue?._$registered)
  }
}

/// The slot of a to-one relationship that must refer to a model.
@_documentation(visibility: private)
public struct _RequiredToOne<Target: PersistentModel>: _PropertySlot {
  public typealias Value = Target

  var reference = ToOneReference()

  public init() {}

  public var isLoaded: Bool { reference.isLoaded }

  public mutating func unload() { reference = ToOneReference() }

  public static var kind: _PropertyKind { .toOne(Target.self, isOptional: false) }

  /// The target. When it was deleted meanwhile, a model that belongs to no row and says so (`isDeleted`).
  public func get<M: PersistentModel>(_ model: M, _ index: Int) -> Target {
    if model._$isDuplicate { return get(model._$registered, index) }
    return reference.shown(from: model, index, as: Target.self) ?? Placeholder.model(Target.self)
  }

  public mutating func assign(_ newValue: Target) -> _ToOneChange<Target> {
    if newValue._$isDuplicate { return assign(newValue._$registered) }
    defer { reference = ToOneReference(object: newValue) }
    return _ToOneChange(old: reference, new: newValue)
  }

  public mutating func initialize<M: PersistentModel>(
    _ initialValue: Target, _ state: inout _ModelState, _ index: Int, _ owner: M.Type
  ) {
    if initialValue._$isDuplicate { return initialize(initialValue._$registered, &state, index, owner) }
    reference = ToOneReference(object: initialValue)
    InitializerLinks.link(&state, owner, index, to: initialValue)
  }

  /// For classes that may have a superclass, whose state does not exist yet: the other side hears of it on insertion.
  public mutating func initialize<M: PersistentModel>(_ initialValue: Target, _ index: Int, _ owner: M.Type) {
    reference = ToOneReference(unlinked: initialValue._$registered)
  }
}

/// What both kinds of to-one slot keep.
///
/// Not generic, as the code that edits it runs for every row linked and would be generic with it.
package struct ToOneReference {
  private static var unloadedKey: Int64 { .min }

  /// 0: nil.
  var key: Int64
  private let held: HeldModel?

  /// The target itself, while the owner is in no context.
  var object: (any PersistentModel)? { held?.model }

  init() { (key, held) = (Self.unloadedKey, nil) }

  init(key: Int64) { (self.key, held) = (key, nil) }

  init(object: (any PersistentModel)?) { (key, held) = (0, object.map { .linked($0) }) }

  /// A target that does not know of the owner yet.
  init(unlinked object: (any PersistentModel)?) { (key, held) = (0, object.map { .unlinked($0) }) }

  /// A target of a model that left its context.
  init(held: HeldModel?) { (key, self.held) = (0, held) }

  var isLoaded: Bool { key != Self.unloadedKey }

  /// Whether the target does not know of the owner yet.
  var isUnlinked: Bool {
    switch held {
    case .unlinked, .weak: object != nil
    case .linked, nil: false
    }
  }

  /// The target, unless its initialiser is running.
  func shown<M: PersistentModel, Target: PersistentModel>(from model: M, _ index: Int, as type: Target.Type) -> Target?
  {
    if let object, !object._$isWhole { return nil }
    let target = resolve(from: model, index, as: type)
    if let target, object == nil { model._$keepObserved(target, index) }
    return target
  }

  func resolve<M: PersistentModel, Target: PersistentModel>(from model: M, _ index: Int, as type: Target.Type)
    -> Target?
  {
    if let object { return (object as AnyObject) as? Target }
    guard isLoaded, key != 0, let core = model._$state.core else { return nil }
    return core.target(of: model, index, key: key, as: Target.self)
  }
}

/// What setting a to-one relationship does to the models it referred to and refers to.
@_documentation(visibility: private)
public struct _ToOneChange<Target: PersistentModel> {
  let old: ToOneReference
  let new: Target?

  public func apply<M: PersistentModel>(to model: M, _ index: Int) {
    if model._$isDuplicate { return }
    // A new model enters the context of the first one that it refers to, and is linked
    // there with all that it refers to.
    if let new, old.object == nil, !model._$state.hasCore, let core = new._$attachedCore { return core.insert(model) }
    if RelationshipLinker.isPendingDelete(model) {
      return RelationshipLinker.refuse(model, index, .toOne(old), new.map { [$0] } ?? [])
    }
    model._$editing(with: new) {
      let former = old.resolve(from: model, index, as: Target.self)
      RelationshipLinker.toOneChanged(model, index, from: former, wasUnlinked: old.isUnlinked, to: new)
    }
  }
}
