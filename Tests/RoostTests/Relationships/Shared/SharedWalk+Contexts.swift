import Foundation
import Observation
import Roost

extension SharedWalk {
  func undo(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) {
    guard let manager = user.context.undoManager else { return }
    user.intent.isUnknown = true
    switch kind {
    case .undo: manager.undo()
    case .redo: manager.redo()
    case .undoNested: manager.undoNestedGroup()
    case .ownGroup:
      manager.beginUndoGrouping()
      rename(user, a, b)
      rename(user, b, a)
      manager.endUndoGrouping()
    case .withoutUndo:
      manager.disableUndoRegistration()
      rename(user, a, b)
      manager.enableUndoRegistration()
    case .forgetUndo: manager.removeAllActions()
    case .limitUndo: manager.levelsOfUndo = b % 5
    case .replaceUndo: user.context.undoManager = UndoManager()
    default: user.context.processPendingChanges()
    }
  }

  func observe(_ user: SharedUser, _ a: Int, _ b: Int, savesThen: Bool) {
    guard let folder = user.folder(a), let parent = user.folder(b), !leads(parent, to: folder) else { return }
    // SAFETY: the observer is told on this thread, in the midst of the edit below.
    nonisolated(unsafe) weak let context = user.context
    withObservationTracking {
      _ = (folder.name, folder.parent, parent.children.count)
    } onChange: {
      if savesThen { _ = try? context?.save() } else { context?.rollback() }
    }
    user.intent.set(folder, "parent", to: parent)
    user.intent.isUnknown = true
    if b % 2 == 0 { folder.parent = parent } else { folder.name = "own \(next())" }
  }

  func changeParent(_ kind: SharedStep.Kind, _ user: SharedUser, _ a: Int, _ b: Int) throws {
    guard let parent = user.parent else { return }
    user.intent.isUnknown = true
    switch kind {
    case .draftSave: _ = try? user.context.save()
    case .parentSave: if (try? parent.save()) == nil { rollback(user) }
    default:
      let folders = try parent.fetch(FetchDescriptor<SharedFolder>(sortBy: [SortDescriptor(\.number)]))
      guard !folders.isEmpty else { return }
      let (folder, other) = (folders[a % folders.count], folders[b % folders.count])
      if !leads(other, to: folder) { folder.parent = other }
      folder.files = Array(folder.files.dropFirst())
      try link(folder, b, parent)
    }
  }

  func rollback(_ user: SharedUser) {
    user.context.rollback()
    user.parent?.rollback()
    user.intent = SharedIntent()
  }

  func save(
    _ user: SharedUser, isFresh: Bool, _ body: (ModelContext) throws -> Void = { try $0.save() }
  ) throws {
    let before = try stored()
    let shown = isFresh ? try SharedState(user.context) : nil
    let rule = SharedRule(user.intent, user.context, before: before)
    let isKnown = !user.intent.isUnknown && user.role != .undoing && user.role != .drafting
    do {
      try body(user.context)
      try user.parent?.save()
    } catch is SwiftDataError {
      refusals += 1
      let after = try stored()
      if after != before { throw SharedMismatch(message: "a refused save wrote") }
      if !user.hasChanges { throw SharedMismatch(message: "a refused save has no changes left") }
      return rollback(user)
    }
    user.intent = SharedIntent()
    saves += 1
    if !isFresh { staleSaves += 1 }
    let after = try stored()
    if isKnown, let violation = rule.violation(after) { throw SharedMismatch(message: "a save: \(violation)") }
    // A new model that updates a row is not what the context showed.
    let names = shown?.rows.values.filter { $0.kind != "lock" }.map { "\($0.kind) \($0.name)" } ?? []
    if let shown, user.parent == nil, Set(names).count == names.count, let difference = after.difference(from: shown) {
      throw SharedMismatch(message: "stored is not what was shown: \(difference)")
    }
    try check(user)
  }
}
