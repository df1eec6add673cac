import Foundation
import Logging
import RoostEngine
import RoostSQL

// Reading what models lack, for siblings in the same statement.
extension ContextCore {
  /// Reads what property `index` of `model` needs: its members for a to-many relationship, else the row.
  ///
  /// A getter cannot throw: when the store cannot be read the property reads as its last known or default value, the
  /// log has the reason, and a save throws if the property was changed afterwards.
  func load(_ model: some PersistentModel, _ index: Int) {
    do {
      try read(model, index)
    } catch {
      noteUnread(model, index, error)
      store.logger.error(
        "Reading a model's properties failed",
        metadata: ["model": "\(type(of: model))", "key": "\(model._$state.key)", "error": "\(error)"])
    }
  }

  func read(_ model: some PersistentModel, _ index: Int) throws { try source.fire(model, index, in: self) }

  func fireStored(_ model: some PersistentModel, _ index: Int) throws {
    if news == nil { listen() }
    if model._$state.flags.contains(.shell) { try loadRows(for: model) }
    let properties = schema.entities[model._$state.ordinal].properties
    // A model may have none at all.
    guard properties.indices.contains(index) else { return }
    let property = properties[index]
    if case .toMany(let relationship) = property.kind {
      // A shell may have been given its members already, which a change may concern by now.
      if !model._$edit(index, .collect).wasLoaded { try loadMembers(for: model, index, relationship) }
    } else if property.isStored, !model._$edit(index, .collect).wasLoaded, model._$state.key > 0,
      !model._$state.flags.contains(.vanished)
    {
      // Fetched with only some of its properties, or refreshed.
      if property.isExternal {
        try loadFile(for: model, property)
      } else if property.relationship != nil {
        do {
          try loadTargets(of: model, index)
        } catch let error as SwiftDataError where error == .corruptValue {
          // A sibling's bad row must not hide this one.
          try loadRow(of: model)
        }
      } else {
        try loadRow(of: model)
      }
    }
  }

  /// Whether a model is not deleted; reads its row if that is not known.
  func isThere(_ model: any PersistentModel) -> Bool {
    if model._$state.flags.contains(.shell) {
      let entity = schema.entities[model._$state.ordinal]
      load(model, entity.properties.first { $0.column != nil }?.index ?? 0)
    }
    if model.isDeleted { return false }
    return model._$state.flags.contains(.inserted) || source.keeps(model)
  }

  // MARK: - To-one

  /// The model that a to-one relationship refers to, or nil when it was deleted.
  ///
  /// On a miss the targets of the nearest siblings are read in one statement, so that a loop over rows runs few, not N.
  func target<Target: PersistentModel>(
    of owner: any PersistentModel, _ index: Int, key: Int64, as type: Target.Type
  ) -> Target? {
    guard let destination = schema.entities[owner._$state.ordinal].properties[index].relationship?.destination else {
      return nil
    }
    if let object = identities.object(ordinal: destination.ordinal, key: key) as? Target {
      return isThere(object) ? object : nil
    }
    guard isReadable(destination, key: key) else { return nil }
    do {
      var wanted: [Int64] = [key]
      var seen: Set<Int64> = [key]
      // Twice as many, as those on one side of the owner were read already, if this is a walk.
      let near = siblings(
        of: owner._$state.key, ordinal: owner._$state.ordinal, with: index, limit: 2 * Self.targetLimit)
      for sibling in near {
        for key in sibling._$edit(index, .collect).keys
        where isReadable(destination, key: key) && seen.insert(key).inserted {
          if !identities.contains(ordinal: destination.ordinal, key: key) { wanted.append(key) }
        }
        if wanted.count >= Self.targetLimit { break }
      }
      var found: Target?
      // A sibling's bad row says so when it is asked for.
      try readRows(destination, wanted) { error, bad in
        if bad == key { throw error }
      } body: { model in
        remember(model)
        if model._$state.key == key { found = (model as AnyObject) as? Target }
      }
      return found
    } catch {
      noteUnread(owner, index, error)
      store.logger.error(
        "Reading related models failed", metadata: ["entity": "\(destination.name)", "error": "\(error)"])
      return nil
    }
  }

  // MARK: - To-many

  /// The members of a list. `isKept`: whether its slot says that they may be among the kept ones.
  func targets<Target: PersistentModel>(
    of owner: any PersistentModel, _ index: Int, keys: [Int64], isKept: Bool, as type: Target.Type
  ) -> [Target] {
    guard let destination = schema.entities[owner._$state.ordinal].properties[index].relationship?.destination else {
      return []
    }
    noteWalk(from: owner, index, to: destination)
    if isKept, let kept = pending.keptLists.take(of: owner, index, as: type) { return kept }
    membersSeen += keys.count
    if destination.isMixed {
      let mixed = mixedModels(destination, keys) { noteUnread(owner, index, $0) }
      return mixed.compactMap { ($0 as AnyObject) as? Target }
    }
    var models: [Target] = []
    models.reserveCapacity(keys.count)
    for (object, key) in zip(identities.objects(ordinal: destination.ordinal, keys: keys), keys) {
      // One made for the same key a moment ago is live by now.
      let target =
        object.map { $0 as? Target ?? Placeholder.model(type) } ?? model(type, ordinal: destination.ordinal, key: key)
      if target._$state.flags.isDisjoint(with: [.deleted, .vanished]) { models.append(target) }
    }
    return models
  }

  /// Reads the members of a to-many relationship, and those of siblings that were not read either.
  private func loadMembers(
    for model: any PersistentModel, _ index: Int, _ relationship: RelationshipInfo
  ) throws {
    var owners: [Int64: any PersistentModel] = [model._$state.key: model]
    for sibling in siblings(of: model, index, where: { !$0._$edit(index, .collect).wasLoaded }) {
      owners[sibling._$state.key] = sibling
    }
    let members = try store.members(of: relationship, owners: owners.keys.filter { $0 > 0 })
    setMembers(of: owners, index, relationship, stored: members)
  }

  /// Gives lists the members that the store, or the parent, has, with this context's changes.
  func setMembers(
    of owners: [Int64: any PersistentModel], _ index: Int, _ relationship: RelationshipInfo, stored: [Int64: [Int64]]
  ) {
    var members = stored
    pending.apply(to: &members, of: owners.keys, relationship) { key in
      existing(ordinal: relationship.destination.ordinal, key: key)
    }
    for (key, owner) in owners {
      owner._$edit(index, .setKeys(inOrder(members[key] ?? [], joined: owner._$edit(index, .collectJoined).keys)))
    }
  }

  /// Puts those that joined since the last save behind the others, in the order they came.
  private func inOrder(_ keys: [Int64], joined: [Int64]) -> [Int64] {
    if joined.isEmpty { return keys }
    let (members, added) = (Set(keys), Set(joined))
    return keys.filter { !added.contains($0) } + joined.filter(members.contains)
  }

  // MARK: - Rows

  /// Reads the row of a shell, and those of all shells of the entity that are still alive.
  private func loadRows(for model: any PersistentModel) throws {
    let (ordinal, key) = (model._$state.ordinal, model._$state.key)
    guard key > 0 else {
      model._$state.flags.remove(.shell)
      return
    }
    let entity = schema.entities[ordinal]
    if takeOnlyShell(ordinal: ordinal, key: key), !entity.isInHierarchy {
      try loadRow(of: model)
      model._$state.flags.remove(.shell)
      return
    }
    // Held until they are read: a shell that nobody else holds must not cost a row.
    var unread: [Int64: any PersistentModel] = [key: model]
    for key in takeShells(ordinal: ordinal) {
      if let shell = existing(ordinal: ordinal, key: key), shell._$state.flags.contains(.shell) { unread[key] = shell }
    }
    // With models of siblings' lists, not made yet.
    let keys = unread.keys + membersAhead(of: ordinal)
    var failure: SwiftDataError?
    try readRows(entity, keys) { error, bad in
      // Another one is read once more when it is asked for, which says what is bad.
      if bad == key { failure = error } else if unread[bad] != nil { noteShell(ordinal: ordinal, key: bad) }
      unread[bad] = nil
    } body: { model in
      let key = model._$state.key
      if unread[key] === model { unread[key] = nil } else { remember(model) }
    }
    for model in unread.values { noteGone(model) }
    if let failure { throw failure }
  }

  /// Reads the rows of a model and of siblings whose to-one relationship is a fault, too.
  private func loadTargets(of model: some PersistentModel, _ index: Int) throws {
    let (ordinal, key) = (model._$state.ordinal, model._$state.key)
    let lacking = siblings(of: model, index) { sibling in
      sibling._$state.ordinal == ordinal && sibling._$state.key > 0
        && sibling._$state.flags.isDisjoint(with: [.shell, .vanished, .inserted])
        && !sibling._$edit(index, .collect).wasLoaded
    }
    if lacking.isEmpty { return try loadRow(of: model) }
    var missing: [Int64: any PersistentModel] = [key: model]
    for sibling in lacking { missing[sibling._$state.key] = sibling }
    let entity = schema.entities[ordinal]
    try readingRows { connection in
      let statement = try connection.statement(store.statements(entity).selectMany)
      defer { statement.reset() }
      statement.bind(Array(missing.keys).jsonArray, at: 1)
      while try statement.step() {
        if let found = missing.removeValue(forKey: statement.int64(0)) { try read(statement, entity, into: found) }
      }
    }
    for model in missing.values { noteGone(model) }
  }

  /// Reads the statement's row into a model, without what has changed here.
  private func read(_ statement: Statement, _ entity: EntityInfo, into model: any PersistentModel) throws {
    var row = _RowReader(statement, entity, isNew: false)
    if model._$state.hasChangedProperties { row.kept = model._$state.changed }
    if model._$state.isObserved { tellingChanges(of: [model]) { model._$read(&row) } } else { model._$read(&row) }
    if let failure = row.failure { throw store.corruptValue(entity, failure, key: model._$state.key, row.refusal) }
  }

  /// Reads a row into a model that has some of it already.
  func loadRow(of model: some PersistentModel) throws {
    let entity = schema.entities[model._$state.ordinal]
    let key = model._$state.key
    try readingRows { connection in
      let statement = try connection.statement(store.statements(entity).selectOne)
      defer { statement.reset() }
      statement.bind(key, at: 1)
      guard try statement.step() else {
        noteGone(model)
        return
      }
      try read(statement, entity, into: model)
    }
  }

  /// Has `body` read rows into models. Observers of what it changes are called when the connection is free again.
  func readingRows<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    // A getter cannot throw, and what it showed instead could be saved.
    try editing { try store.pool.readUncancelled(body) }
  }
}

extension _ModelState {
  /// Whether the store's values may replace the model's.
  package var isClean: Bool { !hasChangedProperties && flags.isDisjoint(with: [.inserted, .deleted, .listedChanged]) }
}
