// Models that leave the context: rolled back, deleted, or merged into another.
extension ContextCore {
  /// Replaces the keys in a model's slots by the models they refer to.
  func detachSlots(of model: any PersistentModel) {
    let ownerKey = model._$state.key
    for property in schema.entities[model._$state.ordinal].properties {
      guard let destination = property.relationship?.destination else { continue }
      model._$edit(
        property.index,
        .leaveContext { key in
          self.existing(ordinal: destination.ordinal, key: key).map { HeldModel($0, key: key, ownerKey: ownerKey) }
        })
    }
  }

  /// Takes a model out of the context; it keeps its values, and its relationships if they were detached: keys are those
  /// of rows of this time and store.
  func release(_ model: any PersistentModel, isDetached: Bool = false) {
    if !isDetached { clearRelationships(of: model) }
    if let pointer = model._$state.registered {
      identities.remove(pointer, ordinal: model._$state.ordinal, key: model._$state.key)
    }
    model._$state.leave()
  }

  /// Takes models out whose rows are gone.
  func releaseDeleted(_ models: ModelList) {
    for (place, address) in models.states.enumerated()
    where !schema.entities[address.state.ordinal].relationships.isEmpty {
      clearRelationships(of: models[place])
    }
    identities.remove(models.states)
    for address in models.states {
      address.state.leave()
      address.state.flags.insert([.deleted, .vanished])
    }
  }

  private func clearRelationships(of model: any PersistentModel) {
    for property in schema.entities[model._$state.ordinal].relationships { model._$edit(property.index, .clear) }
  }

  /// Gives a model the key of its new row.
  func rekey(_ state: inout _ModelState, to key: Int64) {
    guard let pointer = state.registered else { return }
    pending.forgetLinks()
    identities.move(pointer, ordinal: state.ordinal, from: state.key, to: key)
    state.key = key
  }
}

extension _ModelState {
  fileprivate mutating func leave() {
    leaveContext()
    forgetChanges()
    flags.formIntersection([.deleted, .vanished])
  }
}

extension PersistentModel {
  /// Tells observers that any property may change, or has.
  package func _$announceAll(willChange: Bool) {
    guard _$state.isObserved, let core = _$state.core else { return }
    for property in core.schema.entities[_$state.ordinal].properties {
      _$announce(property.index, willChange: willChange)
    }
  }
}
