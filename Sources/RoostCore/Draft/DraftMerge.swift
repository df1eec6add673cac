import Foundation

extension ModelContext {
  /// Makes this draft's changes the parent's.
  func merge(into parent: ModelContext) throws {
    announceSave()
    let merge = DraftMerge(from: core, into: parent)
    try merge.check()
    parent.core.editing { merge.run() }
    let former = takePending()
    for model in merge.updated + merge.inserted {
      for list in store.schema.entities[model._$state.ordinal].lists { model._$edit(list.index, .endOrder) }
    }
    let identifiers: [AnyHashable: Any] = [
      NotificationKey.insertedIdentifiers.rawValue: merge.inserted.map(\.persistentModelID),
      NotificationKey.updatedIdentifiers.rawValue: merge.updated.map(\.persistentModelID),
      NotificationKey.deletedIdentifiers.rawValue: merge.deleted.map(\.persistentModelID),
    ]
    for model in merge.deleted {
      bareCore.release(model)
      model._$state.flags.insert([.deleted, .vanished])
    }
    bareCore.undoSteps.saved(PermanentKeys())
    endChanges(former)
    NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: identifiers)
    CoreDataNotifications.saved(self, identifiers)
  }
}

/// One merge of a draft's changes into its parent. Both know rows, and models without one, by the same keys.
private struct DraftMerge {
  private let draft: ContextCore
  private let parent: ContextCore
  private let context: ModelContext
  let inserted: [any PersistentModel]
  let updated: [any PersistentModel]
  let deleted: [any PersistentModel]

  init(from draft: ContextCore, into context: ModelContext) {
    self.draft = draft
    self.context = context
    parent = context.core
    inserted = draft.pending.insertedModels.models
    updated = draft.pending.changedModels.models
    deleted = draft.pending.deletedModels.models
  }

  /// Throws before anything is changed.
  func check() throws {
    for model in updated {
      if let original = draft.original(of: model), parent.isThere(original) { continue }
      // Of a model that is gone lists changed, as what referred to it was given to others, or others let go of it.
      let entity = draft.schema.entities[model._$state.ordinal]
      if entity.properties.allSatisfy({ $0.column == nil || !model._$state.isEdited($0.index) }) { continue }
      throw SwiftDataError.validation(
        model: entity.name, property: nil, row: model.persistentModelID,
        "The parent context does not have the model any more.", remedy: "Delete it in the draft, or roll back.")
    }
  }

  func run() {
    // Read while the parent is as it was, or what joined them would be in both.
    for model in inserted + updated + deleted {
      for list in draft.schema.entities[model._$state.ordinal].lists where isChanged(model, list) {
        if !model._$edit(list.index, .collect).wasLoaded { draft.load(model, list.index) }
      }
    }
    for model in inserted { enter(model) }
    // Held to the end, or a list that was read for the merge would go with its model.
    let changes = withOriginals(inserted + updated)
    // Those to be deleted too, or they would take along whom they referred to before, and nobody whom they refer to by
    // now. They come first: whom they referred to when they were deleted may refer to others by now.
    let links = withOriginals(deleted) + changes
    for (model, original, entity) in changes {
      for property in entity.properties where property.relationship == nil && isChanged(model, property) {
        guard let image = image(of: model, original, property) else { continue }
        let isFirstChange = !original._$state.changed.contains(property.index)
        set(original, property.index, image)
        // What became of it in the parent meanwhile, the draft did not know.
        if isFirstChange, draft.keepsBeside(model, property.index),
          let ancestor = model._$state.ancestors[property.index]
        {
          original._$state.noteAncestor(property.index, ancestor)
        }
      }
    }
    for (model, original, entity) in links {
      for property in entity.relationships where isChanged(model, property) {
        if case .toOne(let relationship) = property.kind { link(model, original, property.index, relationship) }
      }
    }
    // Read before they change, so that what joins them is known to.
    for (model, original, entity) in links {
      for list in entity.lists where isChanged(model, list) { _ = parent.image(of: original, list.index) }
    }
    // What the draft removes, as it had added it before others wrote, the parent may never have had.
    parent.pending.share(draft.pending)
    for (row, isLinked) in draft.pending.allJoinRows where parent.pending.allJoinRows[row] != isLinked {
      if !isLinked && row.isStored || parent.areLive(row) { parent.join(row, isLinked: isLinked) }
    }
    for (model, original, entity) in links {
      for list in entity.lists where isChanged(model, list) { mergeList(of: model, original, list) }
    }
    // What goes with them the parent finds out for itself.
    for model in deleted where model._$state.flags.isNamed {
      if let original = draft.original(of: model) { context.delete(original) }
    }
  }

  /// The models whose values the parent gets, with its own.
  private func withOriginals(
    _ models: [any PersistentModel]
  ) -> [(any PersistentModel, any PersistentModel, EntityInfo)] {
    models.compactMap { model in
      guard let original = draft.original(of: model), parent.isThere(original) else { return nil }
      return (model, original, draft.schema.entities[model._$state.ordinal])
    }
  }

  private func isChanged(_ model: any PersistentModel, _ property: PropertyInfo) -> Bool {
    model._$state.flags.contains(.inserted) || model._$state.changed.contains(property.index)
  }

  /// Makes the parent's model of one that is new in the draft, without its relationships.
  private func enter(_ model: any PersistentModel) {
    let (ordinal, key) = (model._$state.ordinal, model._$state.key)
    let entity = parent.schema.entities[ordinal]
    if let original = key > 0 ? draft.original(of: model, isNew: false) : parent.existing(ordinal: ordinal, key: key) {
      // Deleted by an earlier merge, and brought back by an undo; or others have deleted the row as well.
      if original._$state.flags.contains(.vanished) {
        parent.pending.forget([original])
        context.forgetOverlay()
      } else if original._$state.flags.contains(.deleted) {
        context.insert(original)
      }
      if parent.isThere(original) { return }
      parent.release(original)
    }
    let original: any PersistentModel = Self.make(entity.type)
    original._$state.key = key
    parent.enter(original)
    // A row that was deleted, and comes back with its key.
    if key > 0 { parent.rekey(&original._$state, to: key) }
    for property in entity.relationships {
      var image = SlotImage.toOne(ToOneReference(key: 0))
      if case .toMany = property.kind { image = .toMany(ToManyMembers(keys: [])) }
      original._$edit(property.index, .restore(image))
    }
  }

  private static func make<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
    var row = _RowReader()
    return Model(_$row: &row)
  }

  /// What the parent gets of an attribute: what the draft has, with what became of it in the parent
  /// meanwhile where it has a rule.
  private func image(
    of model: any PersistentModel, _ original: any PersistentModel, _ property: PropertyInfo
  ) -> SlotImage? {
    let own = draft.image(of: model, property.index)
    guard let ancestor = model._$state.ancestors[property.index] else { return own }
    _ = parent.image(of: original, property.index)
    guard let column = original._$edit(property.index, .content).column, let now = draft.content(column, property),
      let edit = model._$edit(property.index, .content).column, !property.isSame(now, ancestor)
    else { return own }
    let values = ConflictingValues(index: property.index, ancestor: ancestor, own: edit, store: now)
    return draft.merged(values, of: model).flatMap { property.image(of: $0) } ?? own
  }

  private func set(_ original: any PersistentModel, _ index: Int, _ image: SlotImage) {
    original._$editInverse(index, .restore(image))
  }

  private func link(
    _ model: any PersistentModel, _ original: any PersistentModel, _ index: Int, _ relationship: RelationshipInfo
  ) {
    _ = parent.image(of: original, index)
    let old = original._$edit(index, .collect).keys.first
    // What the parent does not have any more is no target; the save refuses that where one is required.
    let new = model._$edit(index, .collect).keys.first.flatMap {
      parent.isLive(relationship.destination, key: $0) ? $0 : nil
    }
    guard old != new else { return }
    let detachment = model._$state.detachments[index]
    // The deletion does it; or the parent's refers to another by now.
    if let detachment, detachment.isByDeletion || detachment.owner != old { return }
    let isFirstChange = !original._$state.changed.contains(index)
    set(original, index, .toOne(ToOneReference(key: new ?? 0)))
    if isFirstChange { original._$state.noteDetachment(index, detachment) }
    if let old, let former = parent.object(of: original, index, key: old) {
      RelationshipLinker.unlinkInverse(of: original, relationship, former)
    }
    if let new, let target = parent.object(of: original, index, key: new) {
      RelationshipLinker.linkInverse(of: original, key: original._$state.key, index, relationship, target)
    }
  }

  /// The members that either side has added, without those that either has removed: in the draft's order if it has
  /// another than its parent had, else in the parent's, with those that the draft added behind the others it had.
  ///
  /// In a list of models that know their owner, the links made before this have moved them already.
  private func mergeList(of model: any PersistentModel, _ original: any PersistentModel, _ list: PropertyInfo) {
    guard let relationship = list.relationship else { return }
    let ours = members(of: model, list, relationship)
    let theirs = original._$edit(list.index, .collect).keys
    let (isOurs, isTheirs) = (Set(ours), Set(theirs))
    func isPending(_ member: Int64, isLinked: Bool) -> Bool {
      guard let row = JoinRow(relationship, model._$state.key, member) else { return false }
      return draft.pending.allJoinRows[row] == isLinked
    }
    let kept = ours.filter { member in
      isTheirs.contains(member)
        || (isPending(member, isLinked: true) && parent.isLive(relationship.destination, key: member))
    }
    var merged = theirs.filter { isOurs.contains($0) || !isPending($0, isLinked: false) }
    if case .toMany(let own) = model._$edit(list.index, .capture).image, !own.isRearranged,
      !model._$state.flags.contains(.inserted)
    {
      let joined = isOurs.intersection(own.joined)
      let isAdded = { (member: Int64) in joined.contains(member) || !isTheirs.contains(member) }
      merged.removeAll(where: joined.contains)
      let last = merged.lastIndex(where: isOurs.contains)
      merged.insert(contentsOf: kept.filter(isAdded), at: last.map { $0 + 1 } ?? 0)
    } else {
      merged = kept + merged.filter { !isOurs.contains($0) }
    }
    if merged == theirs { return }
    guard case .toMany(var members) = original._$edit(list.index, .capture).image else { return }
    members.contents = .keys(merged)
    let isMember = Set(merged)
    members.joined = members.joined.filter(isMember.contains) + merged.filter { !isTheirs.contains($0) }
    members.isRearranged = true
    set(original, list.index, .toMany(members))
  }

  /// The members of a list in the draft; of a model that it deletes also those that go with it.
  private func members(
    of model: any PersistentModel, _ list: PropertyInfo, _ relationship: RelationshipInfo
  ) -> [Int64] {
    let members = model._$edit(list.index, .collect).keys
    guard model._$state.flags.contains(.deleted), case .joinTable(let table, let own, let other) = relationship.storage
    else { return members }
    let (key, known) = (model._$state.key, Set(members))
    let gone = draft.pending.indexedLinks().others(of: key, table, own).filter { member in
      !known.contains(member)
        && draft.pending.allJoinRows[JoinRow(table: table, columns: (own, other), keys: (key, member))] == true
    }
    return members + gone
  }
}
