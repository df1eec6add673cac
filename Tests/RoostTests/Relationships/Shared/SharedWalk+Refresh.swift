import Foundation
import Roost

extension SharedWalk {
  private func isRegistered<Model: PersistentModel>(_ model: Model, _ user: SharedUser) -> Bool {
    let found: Model? = user.context.registeredModel(for: model.persistentModelID)
    return found === model
  }

  /// The models that a program holds show what is stored as soon as their context looks, without being fetched.
  ///
  /// What is counted is another table's, so that no model is read by the way.
  func checkHeld(_ user: SharedUser) throws {
    _ = try user.context.fetchCount(FetchDescriptor<SharedTag>())
    let stored = try stored()
    let isClean = !user.hasChanges
    // A draft shows what its parent has not saved.
    if user.parent != nil && !isClean { return }
    let inserted = Set(user.context.insertedModelsArray.map(ObjectIdentifier.init))
    for model in user.held where model.modelContext === user.context || model.isDeleted {
      let shown = Held(model)
      guard let row = stored.rows[shown.identifier] else {
        // An undo brings back what was deleted and saved, to be inserted again.
        let isGone = shown.wasStored && !model.isDeleted && !inserted.contains(ObjectIdentifier(model))
        if isGone { throw SharedMismatch(message: "\(user.role): \(shown.name) is gone") }
        continue
      }
      // Deleted here, or, once that was saved, brought back by others as another object.
      if model.hasChanges || model.isDeleted && !isRegistered(model, user) { continue }
      if shown.name != row.name || shown.number != row.number {
        throw SharedMismatch(message: "\(user.role) holds \(shown.number) \"\(shown.name)\", stored is \(row)")
      }
      if isClean, shown.one != row.one {
        throw SharedMismatch(message: "\(user.role) holds \(row) with \(shown.one), stored is \(row.one)")
      }
    }
  }
}

/// What a model shows.
private struct Held {
  let identifier: PersistentIdentifier
  var wasStored: Bool { !identifier.isTemporary }
  var name = ""
  var number = 0
  var one: [String: PersistentIdentifier] = [:]

  init(_ model: any PersistentModel) {
    identifier = model.persistentModelID
    switch model {
    case let model as SharedFolder:
      (name, number) = (model.name, model.number)
      one = [
        "parent": model.parent?.persistentModelID, "badge": model.badge?.persistentModelID,
        "cover": model.cover?.persistentModelID,
      ].compactMapValues { $0 }
    case let model as SharedBadge:
      (name, number) = (model.name, model.number)
      one["holder"] = model.holder?.persistentModelID
    case let model as SharedFile:
      (name, number) = (model.name, model.number)
      one["folder"] = model.folder?.persistentModelID
    case let model as SharedTag: (name, number) = (model.name, model.number)
    case let model as SharedLock:
      (name, number) = (model.name, model.number)
      one["folder"] = model.folder?.persistentModelID
    case let model as SharedPage:
      (name, number) = (model.name, model.number)
      one["folder"] = model.isDeleted ? nil : model.folder.persistentModelID
    default: break
    }
  }
}
