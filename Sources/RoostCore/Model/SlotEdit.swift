package import Foundation

/// One edit of a slot whose type the editor does not know: linking the inverse side, entering and leaving a context,
/// replacing temporary keys. Attributes only know whether they were
/// read, and how to be forgotten, captured and restored.
@_documentation(visibility: private)
public struct _SlotEdit {
  package enum Operation {
    /// Make the slot refer to the model, by its key if it is in a context (0: it is in none). A to-one slot forgets its
    /// old target. The key is passed because the model may be in its initialiser or its deinit, its state in use.
    case add(any PersistentModel, key: Int64)
    case remove(any PersistentModel, key: Int64)
    /// Replace models by their keys, and report the models: the owner entered a context.
    case enterContext
    /// Replace keys by models, which need not know of the owner any more: it left its context.
    case leaveContext((Int64) -> HeldModel?)
    /// Become nil or empty, outside of any context.
    case clear
    /// All pending changes are stored: replace temporary keys by those of the rows.
    case endSave(PermanentKeys)
    /// Report the slot's key or keys, or its models.
    case collect
    case setKeys([Int64])
    /// Report the keys of those that joined a list since the last save.
    case collectJoined
    /// Note that models came to the end of the list, or anywhere, and that others left it.
    ///
    /// `count`: how many the list was given. Those behind were brought along by what entered the context with it.
    case join([Int64], leaving: [Int64], count: Int, isRearranged: Bool)
    /// The order of the list is that of the store.
    case endOrder
    /// Forget the members read, so that the next access reads the store.
    case forgetMembers
    /// Forget whatever was read or set.
    case unload
    /// Report the slot as it is.
    case capture
    /// Make the slot what it was when it was captured.
    case restore(SlotImage)
    /// Take the value that these bytes of its file are.
    case fill(Data)
  }

  let operation: Operation
  var found = Found.nothing
  package var wasLoaded = false
  /// Whether the models found do not know of the owner yet.
  var isUnlinked = false
  /// Whether a list's order is another than the store's with those that joined behind.
  private(set) var isRearranged = false

  init(_ operation: Operation) { self.operation = operation }

  /// What `.collect` found, and what a to-one slot let go of in `.add`. An enum, because most edits find nothing or one.
  enum Found {
    case nothing
    case key(Int64)
    case keys([Int64])
    case model(any PersistentModel)
    case models([any PersistentModel])
    case image(SlotImage)
    case file(ExternalName)
  }

  /// What `.capture` found.
  var image: SlotImage? {
    if case .image(let image) = found { image } else { nil }
  }

  /// The file that an attribute's value is still to be read from.
  var file: ExternalName? {
    if case .file(let name) = found { name } else { nil }
  }

  package var keys: [Int64] {
    switch found {
    case .key(let key): [key]
    case .keys(let keys): keys
    default: []
    }
  }

  package var models: [any PersistentModel] {
    switch found {
    case .model(let model): [model]
    case .models(let models): models
    default: []
    }
  }

  /// Calls `body` with each model found.
  func forEachModel(_ body: (any PersistentModel) -> Void) {
    if case .model(let model) = found { body(model) } else { models.forEach(body) }
  }

  private mutating func apply(
    to reference: inout ToOneReference, accepts type: @autoclosure () -> any PersistentModel.Type
  ) {
    wasLoaded = reference.isLoaded
    isUnlinked = reference.isUnlinked
    switch operation {
    case .add(let model, let key):
      report(reference)
      if key != 0 {
        reference = ToOneReference(key: key)
      } else if model.isInstance(of: type()) {
        reference = ToOneReference(object: model)
      }
    case .remove(let model, let key):
      if reference.object === model || (reference.object == nil && key != 0 && reference.key == key) {
        reference = ToOneReference(key: 0)
      }
    case .enterContext:
      if let object = reference.object {
        found = .model(object)
        reference = ToOneReference(key: object._$temporaryKey())
      }
    case .leaveContext(let model):
      let target = reference.isLoaded && reference.key != 0 ? model(reference.key) : nil
      reference = ToOneReference(held: reference.object.map { .unlinked($0) } ?? target)
    case .clear: reference = ToOneReference(key: 0)
    case .endSave(let permanent):
      if reference.object == nil { reference.key = permanent[reference.key] }
    case .collect: report(reference)
    case .unload: reference = ToOneReference()
    case .capture: found = .image(.toOne(reference))
    case .restore(let image): if case .toOne(let former) = image { reference = former }
    case .setKeys, .forgetMembers, .collectJoined, .join, .endOrder, .fill: break
    }
  }

  private mutating func report(_ reference: ToOneReference) {
    if let object = reference.object {
      found = .model(object)
    } else if reference.isLoaded, reference.key != 0 {
      found = .key(reference.key)
    }
  }

  private mutating func apply(
    to members: inout ToManyMembers, accepts type: @autoclosure () -> any PersistentModel.Type
  ) {
    wasLoaded = members.isLoaded
    isUnlinked = members.isUnlinked
    switch operation {
    case .add(let model, let key): add(model, key, to: &members, accepts: type())
    case .remove(let model, let key): remove(model, key, from: &members)
    case .enterContext:
      members.isUnlinked = false
      members.holdStrongly()
      if case .objects(let objects) = members.contents {
        if let objects { found = .models(objects) }
        members.contents = .keys((objects ?? []).map { $0._$temporaryKey() })
      }
    case .leaveContext(let model):
      switch members.contents {
      case .keys(let keys): members.contents = .held(keys.compactMap { model($0) })
      case .unloaded: members.contents = .objects([])
      case .objects, .held: break
      }
      members.isUnlinked = true
      members.joined = []
    case .clear:
      members = ToManyMembers()
      members.contents = .objects([])
    case .endSave(let permanent):
      if case .keys(let keys) = members.contents, members.hasTemporaryKeys {
        members.contents = .keys(permanent.distinct(keys))
      }
      if members.joined.contains(where: { $0 < 0 }) { members.joined = permanent.distinct(members.joined) }
    case .collect:
      switch members.contents {
      case .keys(let keys): found = .keys(keys)
      case .objects(let objects): if let objects { found = .models(objects) }
      case .held(let held): found = .models(held.compactMap(\.model))
      case .unloaded: break
      }
      isRearranged = members.isRearranged
    case .collectJoined: found = .keys(members.joined)
    case .setKeys(let keys): members.contents = .keys(keys)
    case .join(let keys, let leaving, let count, let isRearranged):
      if !leaving.isEmpty, !members.joined.isEmpty {
        let gone = Set(leaving)
        members.joined.removeAll { gone.contains($0) }
      }
      members.joined += keys
      if case .keys(let all) = members.contents, all.count > count {
        let added = Set(members.joined).union(all.dropFirst(count))
        members.joined = all.filter(added.contains)
      }
      if isRearranged { members.isRearranged = true }
    case .endOrder:
      members.joined = []
      members.isRearranged = false
    case .forgetMembers:
      if case .keys = members.contents { members.contents = .unloaded }
    case .unload: members = ToManyMembers()
    case .capture: found = .image(.toMany(members))
    case .restore(let image): if case .toMany(let former) = image { members = former }
    case .fill: break
    }
  }
}

extension _SlotEdit {
  public mutating func apply<Codec>(to slot: inout _Attribute<Codec>) {
    wasLoaded = slot.isLoaded
    switch operation {
    case .unload: slot.unload()
    case .capture: found = .image(.attribute(slot))
    case .restore(.attribute(let former)): if let former = former as? _Attribute<Codec> { slot = former }
    default: break
    }
  }

  public mutating func apply<Target>(to slot: inout _ToOne<Target>) {
    apply(to: &slot.reference, accepts: Target.self)
  }

  public mutating func apply<Target>(to slot: inout _RequiredToOne<Target>) {
    apply(to: &slot.reference, accepts: Target.self)
  }

  public mutating func apply<Models>(to slot: inout _ToMany<Models>) {
    apply(to: &slot.members, accepts: Models.PersistentElement.self)
  }
}

extension _SlotEdit {
  private func add(
    _ model: any PersistentModel, _ key: Int64, to members: inout ToManyMembers,
    accepts type: @autoclosure () -> any PersistentModel.Type
  ) {
    members.holdStrongly()
    switch members.contents {
    case .objects(var objects):
      guard model.isInstance(of: type()) else { return }
      members.contents = .objects(nil)
      if !(objects ?? []).contains(where: { $0 === model }) {
        objects = (objects ?? []) + [model]
      }
      members.contents = .objects(objects)
    case .keys(var keys):
      members.contents = .keys([])
      // The other side referred to others until now, so the key cannot be here already: no search through large arrays.
      keys.append(key)
      members.contents = .keys(keys)
      members.joined.append(key)
    case .unloaded, .held: members.joined.append(key)
    }
  }

  private func remove(
    _ model: any PersistentModel, _ key: Int64, from members: inout ToManyMembers
  ) {
    if !members.joined.isEmpty { members.joined.removeAll { $0 == key } }
    switch members.contents {
    case .objects(var objects):
      objects?.removeAll { $0 === model }
      members.contents = .objects(objects)
    case .keys(var keys):
      keys.removeAll { $0 == key }
      members.contents = .keys(keys)
    case .held(let held): members.contents = .held(held.filter { $0.model !== model })
    case .unloaded: break
    }
  }
}

extension PersistentModel {
  fileprivate func isInstance(of type: any PersistentModel.Type) -> Bool {
    type == Self.self || type.isClass(of: self)
  }

  fileprivate static func isClass(of model: AnyObject) -> Bool { model is Self }
}
