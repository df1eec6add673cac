/// The slot of a to-many relationship: keys in a context, the models themselves outside one.
@_documentation(visibility: private)
public struct _ToMany<Models: RelationshipCollection>: _PropertySlot {
  public typealias Value = Models
  typealias Target = Models.PersistentElement

  var members = ToManyMembers()

  public init() {}

  public var isLoaded: Bool { members.isLoaded }

  public mutating func unload() { members = ToManyMembers() }

  public static var kind: _PropertyKind { .toMany(Target.self, isOptional: Models._isOptional) }

  public func get<M: PersistentModel>(_ model: M, _ index: Int) -> Models {
    if model._$isDuplicate { return get(model._$registered, index) }
    switch members.contents {
    case .objects(let objects):
      return Models._make(objects?.compactMap { $0._$isWhole ? ($0 as AnyObject) as? Target : nil })
    case .keys(let keys):
      guard let core = model._$state.core else { return Models._make([]) }
      let targets = core.targets(of: model, index, keys: keys, isKept: members.isKept, as: Target.self)
      model._$keepObserved(targets, index)
      return Models._make(targets)
    case .held(let held): return Models._make(held.compactMap { $0.model as AnyObject? as? Target })
    case .unloaded: return Models._make([])
    }
  }

  /// The slot keeps its members until the change is applied: a list that one model joins need not be made anew.
  public func assign(_ newValue: Models) -> _ToManyChange<Models> { _ToManyChange<Models>(new: newValue._models) }

  public mutating func initialize<M: PersistentModel>(
    _ initialValue: Models, _ state: inout _ModelState, _ index: Int, _ owner: M.Type
  ) {
    let models = initialValue._distinctModels
    members.contents = .objects(models)
    for target in models ?? [] { InitializerLinks.link(&state, owner, index, to: target) }
  }

  /// For classes that may have a superclass, whose state does not exist yet: the other side hears of it on insertion.
  public mutating func initialize<M: PersistentModel>(_ initialValue: Models, _ index: Int, _ owner: M.Type) {
    let models = initialValue._distinctModels
    members.contents = .objects(models)
    members.isUnlinked = !(models ?? []).isEmpty
  }
}

/// What a to-many slot keeps. Not generic, as for `ToOneReference`.
package struct ToManyMembers {
  enum Contents {
    /// Not read yet. What is linked meanwhile is among the context's pending changes.
    case unloaded
    case keys([Int64])
    case objects([any PersistentModel]?)
    /// Those of a model that left its context.
    case held([HeldModel])
  }

  var contents = Contents.unloaded {
    didSet { isKept = false }
  }
  /// Whether the models do not know of the owner yet.
  var isUnlinked = false
  /// Whether the context may have the members themselves; see ``KeptLists``.
  var isKept = false
  /// The keys of those that joined at the end since the last save, also while the others are not read.
  var joined: [Int64] = []
  /// Whether the order is another than that of the store with those that joined behind.
  var isRearranged = false

  init() {}

  init(keys: [Int64]) { contents = .keys(keys) }

  init(objects: [any PersistentModel]?) { contents = .objects(objects) }

  var isLoaded: Bool {
    if case .unloaded = contents { false } else { true }
  }

  /// Whether a member has no row yet.
  var hasTemporaryKeys: Bool {
    if case .keys(let keys) = contents { keys.contains { $0 < 0 } } else { false }
  }

  /// Sets the members, but for those whose initialisers are running: whoever sets the list was not shown them.
  mutating func assign(_ models: [any PersistentModel]?) {
    var hidden: [any PersistentModel] = []
    if case .objects(let objects?) = contents { hidden = objects.filter { !$0._$isWhole } }
    contents = .objects(hidden.isEmpty ? models : (models ?? []) + hidden)
  }

  /// The members now, as models, without reading the store for those that were not read.
  func models<M: PersistentModel, Target: PersistentModel>(of model: M, _ index: Int, as type: Target.Type) -> [Target]
  {
    switch contents {
    case .objects(let objects): (objects ?? []).compactMap { $0._$isWhole ? ($0 as AnyObject) as? Target : nil }
    case .keys(let keys):
      model._$state.core?.targets(of: model, index, keys: keys, isKept: isKept, as: Target.self) ?? []
    case .held(let held): held.compactMap { $0.model as AnyObject? as? Target }
    case .unloaded: []
    }
  }

  /// Keeps the members alive from now on, as those do that a program puts together outside of contexts.
  mutating func holdStrongly() {
    if case .held(let held) = contents { contents = .objects(held.compactMap(\.model)) }
  }
}

/// What setting a to-many relationship does to the models that left and joined it.
@_documentation(visibility: private)
public struct _ToManyChange<Models: RelationshipCollection> {
  let new: [Models.PersistentElement]?

  public func apply<M: PersistentModel>(to model: M, _ index: Int) {
    if model._$isDuplicate { return model._$restoreAlone(index, .toMany(.init(objects: new))) }
    let isRefused = RelationshipLinker.isPendingDelete(model)
    // Nobody else may hold the list's keys here, or each append would copy them.
    if !isRefused, let new, RelationshipLinker.linkAppended(model, index, new) { return }
    let new = new?._$registered
    guard case .toMany(let old) = model._$edit(index, .capture).image else { return }
    if isRefused { return RelationshipLinker.refuse(model, index, .toMany(old), new ?? []) }
    model._$set(index, to: new)
    model._$editing(with: new?.first { $0._$attachedCore != nil }) {
      let former = old.models(of: model, index, as: Models.PersistentElement.self)
      var assigned = new ?? []
      let hidden = Models._hidden(among: former, behind: assigned)
      if !hidden.isEmpty {
        assigned += hidden
        model._$set(index, to: assigned)
      }
      RelationshipLinker.toManyChanged(model, index, from: former, to: assigned)
    }
  }
}
