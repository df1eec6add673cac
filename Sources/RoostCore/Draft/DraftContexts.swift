/// The drafts of a context that are alive.
struct DraftContexts {
  private struct Reference { weak var core: ContextCore? }

  private var references: [Reference] = []

  mutating func append(_ core: ContextCore) {
    references.removeAll { $0.core == nil }
    references.append(Reference(core: core))
  }

  func forEach(_ body: (ContextCore) -> Void) {
    for case let core? in references.map(\.core) { body(core) }
  }

  /// Tells them that the models they know by temporary keys have rows.
  func parentSaved(_ saved: SavedChanges) {
    forEach { $0.parentSaved(saved) }
  }
}

extension ContextCore {
  func parentSaved(_ saved: SavedChanges) {
    var merged: Set<ObjectIdentifier> = []
    for row in saved.rows where row.temporaryKey < 0 {
      guard let model = existing(ordinal: row.ordinal, key: row.temporaryKey) else { continue }
      if row.isMerged { merged.insert(ObjectIdentifier(model)) }
      if existing(ordinal: row.ordinal, key: row.key) == nil, row.ordinal == model._$state.ordinal {
        rekey(&model._$state, to: row.key)
        if row.isMerged, model._$state.isClean { model._$unload() }
      } else if !model._$state.isClean || !makeDuplicate(model, of: registeredModel(of: row)) {
        // Its edits are of a row whose model is here, or of a subclass.
        model._$state.flags.insert(.vanished)
      }
    }
    undoSteps.forget(merged)
    for root in schema.entities where root.superentity == nil {
      for case let model as any PersistentModel in identities.neighbours(of: 0, ordinal: root.ordinal, limit: .max) {
        for property in schema.entities[model._$state.ordinal].relationships {
          model._$edit(property.index, .endSave(saved.keys))
          if model._$state.hasDetachments, var detachment = model._$state.allDetachments[property.index] {
            detachment.owner = saved.keys[detachment.owner]
            model._$state.noteDetachment(property.index, detachment)
          }
        }
      }
    }
    pending.replaceKeys(saved.keys)
    undoSteps.replaceKeys(saved.keys)
    drafts.parentSaved(saved)
  }
}
