/// The steps that an undo manager may still have, so that they learn of saves.
final class UndoSteps {
  private struct Reference { weak var step: UndoStep? }

  private var steps: [Reference] = []
  var isEmpty: Bool { steps.isEmpty }
  /// Counts saves and rollbacks.
  private var epoch = 0

  func make(_ generation: Int) -> UndoStep {
    let step = UndoStep(epoch: epoch, generation: generation)
    steps.append(Reference(step: step))
    return step
  }

  /// The latest step before which a model was in the context, and was to stay there.
  func latest(with model: any PersistentModel) -> UndoStep? {
    steps.reversed().lazy.compactMap(\.step).first { $0.wasPresent(model) == true }
  }

  /// Whether nothing was saved or rolled back since the step was made.
  func isCurrent(_ step: UndoStep) -> Bool { step.epoch == epoch }

  /// All at once, as one save may merge very many.
  func forget(_ merged: Set<ObjectIdentifier>) {
    if merged.isEmpty { return }
    for reference in steps { reference.step?.forget(merged) }
  }

  /// The links by models that became updates of rows, and that were there before.
  func forget(_ known: Set<JoinRow>) {
    if known.isEmpty { return }
    for reference in steps { reference.step?.forget(known) }
  }

  /// What was pending is not any more.
  func rolledBack() { epoch += 1 }

  /// What was pending was saved.
  func saved(_ permanent: PermanentKeys) {
    epoch += 1
    replaceKeys(permanent)
  }

  func replaceKeys(_ permanent: PermanentKeys) {
    steps.removeAll { $0.step == nil }
    for reference in steps { reference.step?.replaceKeys(permanent) }
  }

  /// Has all that referred to a model by its former key refer to it by another, but for steps that touched `other`:
  /// that is the model of the row which has the former key now, and they mean it.
  func replace(_ replacement: KeyReplacement, _ schema: SchemaInfo, except other: (any PersistentModel)? = nil) {
    for case let step? in steps.map(\.step) {
      if let other, step.models.contains(where: { $0.model === other }) { continue }
      step.replace(replacement, schema)
    }
  }
}
