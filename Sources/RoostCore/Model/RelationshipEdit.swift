/// One edit of a relationship slot whose type the editor does not know: linking the inverse side, entering and leaving
/// a context, replacing temporary keys.
@_documentation(visibility: private)
public struct _RelationshipEdit {
  enum Operation {
    /// Make the slot refer to the model, by its key if it is in a context (0: it is in none). A to-one slot forgets its
    /// old target. The key is passed because the model may be in its initialiser or its deinit, its state in use.
    case add(any PersistentModel, key: Int64)
    case remove(any PersistentModel, key: Int64)
    /// Replace models by their keys, and report the models: the owner entered a context.
    case enterContext((any PersistentModel) -> Int64)
    /// Replace keys by models: the owner left its context.
    case leaveContext((Int64) -> (any PersistentModel)?)
    case replaceKeys([Int64: Int64])
    /// Report the slot's key or keys, or its models.
    case collect
    case setKeys([Int64])
    /// Forget the members read, so that the next access reads the store.
    case forgetMembers
  }

  let operation: Operation
  /// What `.collect` found, and what a to-one slot let go of in `.add`.
  var keys: [Int64] = []
  var models: [any PersistentModel] = []
  var wasLoaded = false
  /// Whether the models found do not know of the owner yet.
  var isUnlinked = false

  init(_ operation: Operation) { self.operation = operation }

  mutating func apply<Target>(to reference: inout ToOneReference<Target>) {
    wasLoaded = reference.isLoaded
    isUnlinked = reference.isUnlinked
    switch operation {
    case .add(let model, let key):
      report(reference)
      guard let target = model as? Target else { return }
      reference = key != 0 ? ToOneReference(key: key) : ToOneReference(object: target)
    case .remove(let model, let key):
      if reference.object === model || (reference.object == nil && key != 0 && reference.key == key) {
        reference = ToOneReference(key: 0)
      }
    case .enterContext(let key):
      if let object = reference.object {
        models = [object]
        reference = ToOneReference(key: key(object))
      }
    case .leaveContext(let model):
      if reference.object == nil, reference.isLoaded, reference.key != 0 {
        reference = ToOneReference(object: model(reference.key) as? Target)
      }
    case .replaceKeys(let map):
      if let key = map[reference.key], reference.object == nil { reference.key = key }
    case .collect: report(reference)
    case .setKeys, .forgetMembers: break
    }
  }

  private mutating func report<Target>(_ reference: ToOneReference<Target>) {
    if let object = reference.object {
      models = [object]
    } else if reference.isLoaded, reference.key != 0 {
      keys = [reference.key]
    }
  }

  mutating func apply<Target>(to members: inout ToManyMembers<Target>) {
    wasLoaded = members.isLoaded
    isUnlinked = members.isUnlinked
    switch operation {
    case .add(let model, let key): add(model, key, to: &members)
    case .remove(let model, let key): remove(model, key, from: &members)
    case .enterContext(let key):
      members.isUnlinked = false
      if case .objects(let objects) = members.contents {
        models = objects ?? []
        members.contents = .keys((objects ?? []).map { key($0) })
      }
    case .leaveContext(let model):
      if case .keys(let keys) = members.contents {
        members.contents = .objects(keys.compactMap { model($0) as? Target })
      }
    case .replaceKeys(let map): replaceKeys(map, in: &members)
    case .collect:
      switch members.contents {
      case .keys(let keys): self.keys = keys
      case .objects(let objects): models = objects ?? []
      case .unloaded: break
      }
    case .setKeys(let keys): setKeys(keys, in: &members)
    case .forgetMembers:
      if case .keys = members.contents { members.contents = .unloaded(nil) }
    }
  }
}

extension _RelationshipEdit {
  private func add<Target>(_ model: any PersistentModel, _ key: Int64, to members: inout ToManyMembers<Target>) {
    guard let target = model as? Target else { return }
    switch members.contents {
    case .objects(var objects):
      members.contents = .objects(nil)
      if !(objects ?? []).contains(where: { $0 === target }) {
        objects = (objects ?? []) + [target]
      }
      members.contents = .objects(objects)
    case .keys(var keys):
      members.contents = .keys([])
      // The other side led elsewhere until now, so the key cannot be here already: no search through large arrays.
      keys.append(key)
      members.contents = .keys(keys)
    case .unloaded(var changes):
      // Moved out of the slot, so that the array grows in place. As above, the key cannot be here already.
      members.contents = .unloaded(nil)
      if changes == nil { changes = .init() }
      if changes?.removed.remove(key) == nil { changes?.added.append(key) }
      members.contents = .unloaded(changes)
    }
  }

  private func remove<Target>(
    _ model: any PersistentModel, _ key: Int64, from members: inout ToManyMembers<Target>
  ) {
    switch members.contents {
    case .objects(var objects):
      objects?.removeAll { $0 === model }
      members.contents = .objects(objects)
    case .keys(var keys):
      keys.removeAll { $0 == key }
      members.contents = .keys(keys)
    case .unloaded(let changes):
      var changes = changes ?? .init()
      if let index = changes.added.firstIndex(of: key) {
        changes.added.remove(at: index)
      } else {
        changes.removed.insert(key)
      }
      members.contents = .unloaded(changes)
    }
  }

  private func replaceKeys<Target>(_ map: [Int64: Int64], in members: inout ToManyMembers<Target>) {
    switch members.contents {
    case .keys(let keys): members.contents = .keys(keys.map { $0 < 0 ? map[$0] ?? $0 : $0 })
    case .unloaded(var changes?):
      changes.added = changes.added.map { map[$0] ?? $0 }
      members.contents = .unloaded(changes)
    case .unloaded, .objects: break
    }
  }

  /// The keys the store has, with what happened here since.
  private func setKeys<Target>(_ stored: [Int64], in members: inout ToManyMembers<Target>) {
    guard case .unloaded(let changes?) = members.contents else {
      members.contents = .keys(stored)
      return
    }
    let kept = stored.filter { !changes.removed.contains($0) }
    let known = Set(kept)
    members.contents = .keys(kept + changes.added.filter { !known.contains($0) })
  }
}
