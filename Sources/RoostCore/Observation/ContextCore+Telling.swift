// Telling observers of exactly what others have changed.
extension ContextCore {
  /// Runs `body`, which may give models other values, and tells their observers of the
  /// properties that have others then.
  ///
  /// The values of before are kept as digests, and only of models that somebody observes. Relationships that are lists
  /// are told by whoever forgets them; see `forgetRelationships`. Observers are called when the outermost edit or read
  /// is over.
  package func tellingChanges(of models: [any PersistentModel], _ body: () throws -> Void) rethrows {
    let former = models.filter { $0._$state.isObserved && told.insert(ObjectIdentifier($0)).inserted }
      .map { ($0, digests(of: $0), $0.isDeleted) }
    try editing {
      // Also after a failure: what was read until then is there.
      defer {
        for (model, digests, wasDeleted) in former {
          told.remove(ObjectIdentifier(model))
          tell(model, digests, wasDeleted)
        }
      }
      try body()
    }
  }

  private func digests(of model: any PersistentModel) -> [Int?] {
    schema.entities[model._$state.ordinal].properties.map { model._$edit($0.index, .digest).digest }
  }

  private func tell(_ model: any PersistentModel, _ former: [Int?], _ wasDeleted: Bool) {
    // A model that has gone, or is there again, is another one altogether.
    if model.isDeleted != wasDeleted { return announceAllLater(model) }
    for (index, digest) in former.enumerated() {
      // Nobody has seen what was not read.
      guard let digest else { continue }
      let now = model._$edit(index, .digest).digest
      if now != digest { announceLater(model, index) }
    }
  }

  private func announceAllLater(_ model: any PersistentModel) {
    for property in schema.entities[model._$state.ordinal].properties { announceLater(model, property.index) }
  }
}

/// A relationship that was forgotten, and what it referred to.
struct ForgottenRelationship {
  let model: any PersistentModel
  let index: Int
  let keys: [Int64]
}

extension ContextCore {
  /// Tells observers of those that refer to others by now. They are read for that, one statement a relationship.
  func tellChanges(of forgotten: [ForgottenRelationship]) {
    for former in forgotten {
      let model = former.model
      // Of a row that is gone nobody asks.
      if model._$state.core !== self || model._$state.flags.contains(.vanished) { continue }
      if !model._$edit(former.index, .collect).wasLoaded { load(model, former.index) }
      if model._$edit(former.index, .collect).keys != former.keys { announceLater(model, former.index) }
    }
  }
}
