// What edits do to a to-many slot.
extension ToManyMembers {
  /// The keys, or the models of an owner that is in no context.
  var found: _SlotEdit.Found {
    switch contents {
    case .keys(let keys): .keys(keys)
    case .objects(let objects): objects.map { .models($0) } ?? .nothing
    case .held(let held): .models(held.compactMap(\.model))
    case .unloaded: .nothing
    }
  }

  /// `isNew`: whether the model did not refer to the owner until now.
  mutating func add(
    _ model: any PersistentModel, key: Int64, isNew: Bool, accepts type: @autoclosure () -> any PersistentModel.Type
  ) {
    holdStrongly()
    switch contents {
    // One outside of contexts, and the list's own is gone: it is linked when both enter another.
    case .keys where key == 0, .unloaded where key == 0: break
    case .objects(var objects):
      guard model.isInstance(of: type()) else { return }
      // Those that do not refer to the owner may be here already only if they need not know of it.
      if !isNew || isUnlinked, let objects, objects.contains(where: { $0 === model }) { return }
      // An array with one owner is changed in place.
      contents = .objects(nil)
      if objects == nil { objects = [] }
      objects?.append(model)
      contents = .objects(objects)
    case .keys(var keys):
      contents = .keys([])
      // The other side referred to others until now, so the key cannot be here already: no search through large arrays.
      keys.append(key)
      contents = .keys(keys)
      joined.append(key)
    case .unloaded, .held: joined.append(key)
    }
  }

  mutating func remove(_ model: any PersistentModel, key: Int64) {
    Self.remove(key, from: &joined)
    switch contents {
    // In place, as in `add`.
    case .objects(var objects):
      contents = .objects(nil)
      objects?.removeAll { $0 === model }
      contents = .objects(objects)
    case .keys(var keys):
      contents = .keys([])
      Self.remove(key, from: &keys)
      contents = .keys(keys)
    case .held(let held): contents = .held(held.filter { $0.model !== model })
    case .unloaded: break
    }
  }

  private static func remove(_ key: Int64, from keys: inout [Int64]) {
    // Those behind move as one block.
    while let place = keys.firstIndex(of: key) { keys.remove(at: place) }
  }

  /// Sets the members that were read. One that joined and is deleted by now is not among them, and comes again if its
  /// deletion is taken back.
  mutating func read(_ keys: [Int64]) {
    contents = .keys(keys)
    if joined.isEmpty { return }
    let members = Set(keys)
    joined.removeAll { !members.contains($0) }
  }

  /// Replaces the members by their keys, and returns them.
  mutating func enterContext() -> [any PersistentModel]? {
    isUnlinked = false
    holdStrongly()
    guard case .objects(let held) = contents else { return nil }
    let objects = held?._$registered
    contents = .keys((objects ?? []).map { $0._$temporaryKey() })
    return objects
  }

  mutating func leaveContext(_ model: (Int64) -> HeldModel?) {
    switch contents {
    case .keys(let keys): contents = .held(keys.compactMap { model($0) })
    case .unloaded: contents = .objects([])
    case .objects, .held: break
    }
    isUnlinked = true
    joined = []
  }

  mutating func clear() {
    self = ToManyMembers()
    contents = .objects([])
  }

  mutating func endSave(_ permanent: PermanentKeys) {
    if case .keys(let keys) = contents, hasTemporaryKeys { contents = .keys(permanent.distinct(keys)) }
    if joined.contains(where: { $0 < 0 }) { joined = permanent.distinct(joined) }
  }

  /// Notes who came to the list and who left it.
  ///
  /// `count`: how many the list was given. Those behind were brought along by what entered the context with it.
  mutating func join(_ keys: [Int64], leaving: [Int64], count: Int) {
    if !leaving.isEmpty, !joined.isEmpty {
      let gone = Set(leaving)
      joined.removeAll { gone.contains($0) }
    }
    joined += keys
    if case .keys(let all) = contents, all.count > count {
      let added = Set(joined).union(all.dropFirst(count))
      joined = all.filter(added.contains)
    }
  }

  /// Forgets the members that were read from the store.
  mutating func forget() {
    if case .keys = contents { contents = .unloaded }
  }
}
