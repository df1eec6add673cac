import Foundation
import Synchronization

/// Notes what a context's changes replace, for its undo manager.
final class UndoRecorder {
  let manager: UndoManager
  private unowned let core: ContextCore
  /// What the changes since the current group began have replaced; nil before the first one. The manager keeps it.
  private weak var current: UndoStep?
  private var observers: [any NSObjectProtocol] = []
  /// The models that are to be deleted already, while their deletions are applied again to what others have written.
  private var deletedBefore: Set<ObjectIdentifier>?

  init(_ manager: UndoManager, _ core: ContextCore) {
    self.manager = manager
    self.core = core
    let reference = Reference(recorder: self)
    observers = [Notification.Name.NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup].map { name in
      NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { _ in
        reference.recorder?.endStep()
      }
    }
  }

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
  }

  private struct Reference: @unchecked Sendable {
    // SAFETY: an undo manager posts on the actor that it and the context belong to.
    weak var recorder: UndoRecorder?
  }

  /// Has the next change begin a new step.
  func endStep() { current = nil }

  /// Ends the manager's group, if it opened by itself.
  func endGroup() {
    endStep()
    #if !canImport(ObjectiveC)
      manager.endEventGroup()
    #endif
  }

  /// The step under way; nil while nothing is recorded.
  private func step() -> UndoStep? {
    guard deletedBefore == nil, manager.isUndoRegistrationEnabled, !manager.isUndoing, !manager.isRedoing,
      let context = core.context
    else {
      return nil
    }
    if let current { return current }
    let step = core.undoSteps.make(context.seenGeneration)
    register(step, for: context)
    current = step
    return step
  }

  func register(_ step: UndoStep, for context: ModelContext) {
    manager.registerUndo(withTarget: context) { $0.revert(step) }
    context.scheduleEndOfUndoGroup()
  }

  // MARK: - What is about to happen

  func willInsert(_ model: any PersistentModel) { step()?.note(model, isPresent: false) }

  func willChange(_ model: any PersistentModel, _ index: Int) {
    guard let step = step() else { return }
    if step.has(index, of: model) { return step.noteAgain(index, of: model) }
    let property = model._$info(index)
    core.readValue(index, of: model)
    // The list that the model leaves is read while the model is still in it.
    if let relationship = property?.relationship, case .column = relationship.storage,
      let inverse = relationship.inverse, !relationship.inverseIsToOne,
      let key = model._$edit(index, .collect).keys.first, let target = core.object(of: model, index, key: key)
    {
      readList(target, inverse)
    }
    step.note(index, of: model, in: core)
  }

  /// Reads a list that is to lose a member, or the member's position in it would be lost.
  func willRemove(from owner: any PersistentModel, _ index: Int) {
    // A deletion that is applied again was noted with the list.
    if deletedBefore == nil { readList(owner, index) }
  }

  private func readList(_ owner: any PersistentModel, _ index: Int) {
    if !owner._$edit(index, .collect).wasLoaded { core.load(owner, index) }
  }

  func willJoin(_ row: JoinRow, isLinked: Bool) {
    step()?.note(row, wasLinked: !isLinked, isLinked: isLinked, pending: core.pending.allJoinRows[row])
  }

  /// Applies deletions again. What they take along by now, and did not before, is added to the steps that have them.
  func deleteAgain(_ models: ModelList, _ body: () -> Void) {
    deletedBefore = Set(models.map { ObjectIdentifier($0) })
    defer { deletedBefore = nil }
    body()
  }

  /// Notes all of a model that is to be deleted, and who refers to it without it knowing. `owner`: by whose cascade.
  func willDelete(_ model: any PersistentModel, _ entity: EntityInfo, with owner: (any PersistentModel)?) {
    guard let step = deletedBefore == nil ? step() : stepOfCascade(to: model, from: owner) else { return }
    step.note(model, isPresent: true)
    for property in entity.properties {
      if !model._$edit(property.index, .collect).wasLoaded { core.load(model, property.index) }
      step.note(property.index, of: model, in: core, isOfDeletion: true)
      guard let relationship = property.relationship else { continue }
      for key in model._$edit(property.index, .collect).keys {
        // Noted with the deletion of the other one.
        if core.toGo(key, of: model, property.index) != nil { continue }
        if let row = JoinRow(relationship, model._$state.key, key) { willUnjoin(row, step) }
        if let inverse = relationship.inverse, let other = core.object(of: model, property.index, key: key) {
          readList(other, inverse)
        }
      }
    }
    for referrer in entity.unknownReferrers { noteReferrers(of: model, referrer, step) }
  }

  /// The step that has the deletion which takes a model along by now; nil where it did already.
  private func stepOfCascade(to model: any PersistentModel, from owner: (any PersistentModel)?) -> UndoStep? {
    guard let owner, let deletedBefore, !deletedBefore.contains(ObjectIdentifier(model)),
      let step = core.undoSteps.latest(with: owner)
    else { return nil }
    for row in step.noteMember(model, of: owner, in: core) { willUnjoin(row, step) }
    return step
  }

  private func willUnjoin(_ row: JoinRow, _ step: UndoStep) {
    step.note(row, wasLinked: true, isLinked: false, pending: core.pending.allJoinRows[row], isOfDeletion: true)
  }

  /// The database lets them go when the row is deleted.
  private func noteReferrers(of model: any PersistentModel, _ referrer: PropertyInfo, _ step: UndoStep) {
    guard let relationship = referrer.relationship else { return }
    let key = model._$state.key
    for owner in core.referrers(to: key, through: referrer) where !owner._$state.flags.contains(.deleted) {
      if !owner._$edit(referrer.index, .collect).wasLoaded { core.load(owner, referrer.index) }
      guard owner._$edit(referrer.index, .collect).keys.contains(key) else { continue }
      step.note(referrer.index, of: owner, in: core)
      if let row = JoinRow(relationship, owner._$state.key, key) { willUnjoin(row, step) }
    }
  }
}
