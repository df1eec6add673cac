extension ModelContext {
  /// Drops all changes since the last save: inserted models leave the context, edited ones read the store again.
  ///
  /// What the context recorded with its undo manager is dropped too.
  public func rollback() {
    let core = core
    reported = []
    core.unread = [:]
    undoManager?.removeAllActions(withTarget: self)
    core.undo?.endStep()
    core.undoSteps.rolledBack()
    core.editing { drop(takePending().flatMap(\.models)) }
  }

  private func drop(_ models: [any PersistentModel]) {
    // Keys refer to models only while these are registered, so all slots come first. Those that were to be deleted keep
    // no references: the others do not know of them any more.
    for model in models where model._$state.flags.contains(.inserted) && !model._$state.flags.contains(.deleted) {
      bareCore.detachSlots(of: model)
    }
    // One that was inserted and then deleted is in both lists.
    for model in models where model._$state.core === bareCore {
      if model._$state.flags.contains(.inserted) {
        bareCore.release(model, isDetached: !model._$state.flags.contains(.deleted))
      } else {
        model._$state.forgetChanges()
        model._$state.flags.subtract([.deleted, .cascaded, .cascadedFromNew, .listedChanged, .listedDeleted])
        model._$announceAll(willChange: true)
        model._$unload()
        model._$announceAll(willChange: false)
      }
    }
    // Lists that were read meanwhile were shown without what was to be deleted.
    bareCore.showStoredRelationships()
  }
}
