import Foundation
import Roost
import RoostCore
import TestSupport

/// What a user has edited and not saved yet, while other devices' edits come, and what a save must make of it.
struct UnsavedEdits {
  let context: ModelContext
  /// A draft of it, with edits of its own; nil for none.
  var draft: ModelContext?
  /// What was done in the context, and in the draft.
  private var own: [PersistentIdentifier: BookEdits] = [:]
  private var drafted: [PersistentIdentifier: BookEdits] = [:]

  /// What was done to a book.
  private struct BookEdits {
    var loans = 0
    var best = 0
    var put: Set<String> = []
    var takenOut: Set<String> = []

    mutating func note(_ former: RowFacts, _ now: RowFacts) {
      loans += now.loans - former.loans
      if now.best != former.best { best = now.best }
      let (added, removed) = (now.elements.subtracting(former.elements), former.elements.subtracting(now.elements))
      // What was taken back is as if nobody had done it.
      (put, takenOut) = (
        put.subtracting(removed).union(added.subtracting(takenOut)),
        takenOut.subtracting(added).union(removed.subtracting(put))
      )
    }

    /// What a save makes of what the row had.
    func apply(to facts: inout (loans: Int, best: Int, elements: Set<String>)) {
      facts = (facts.loans + loans, max(facts.best, best), facts.elements.subtracting(takenOut).union(put))
    }
  }

  init(_ container: ModelContainer) {
    context = ModelContext(container)
    context.autosaveEnabled = false
  }

  /// Notes what the context, or its draft, showed before an edit, and after.
  mutating func note(
    _ before: [PersistentIdentifier: RowFacts], _ after: [PersistentIdentifier: RowFacts], isDraft: Bool = false
  ) {
    for (id, now) in after {
      guard let former = before[id] else { continue }
      if isDraft {
        drafted[id, default: BookEdits()].note(former, now)
      } else {
        own[id, default: BookEdits()].note(former, now)
      }
    }
  }

  /// Forgets what was edited: it is saved, or taken back.
  mutating func end() { (own, drafted, draft) = ([:], [:], nil) }

  /// What is wrong with what a save has made of the rows; nil for nothing.
  func problem(_ before: [PersistentIdentifier: RowFacts], _ after: [PersistentIdentifier: RowFacts]) -> String? {
    for id in Set(own.keys).union(drafted.keys).sorted() {
      guard let former = before[id], let now = after[id] else { continue }
      var expected = (loans: former.loans, best: former.best, elements: former.elements)
      own[id]?.apply(to: &expected)
      drafted[id]?.apply(to: &expected)
      if expected != (now.loans, now.best, now.elements) {
        return "the book was \(former) and is \(now), not \(expected)"
      }
    }
    return nil
  }
}

extension RowFacts {
  fileprivate var elements: Set<String> { Set(marks + lines) }
}

/// A save has lost edits.
struct LostEdits: Error {
  let problem: String
}

extension SyncEdits {
  /// Edits without saving, takes some of that back, or saves it.
  mutating func editUnsaved(_ machine: Machine) throws {
    do { try editOrSave(machine) } catch {
      // Where the disk failed as it was looked at, nobody has noted what was edited.
      machine.unsaved = UnsavedEdits(machine.container)
      throw error
    }
  }

  private mutating func editOrSave(_ machine: Machine) throws {
    let context = machine.unsaved.context
    guard context.hasChanges || machine.unsaved.draft != nil, random.once(in: 2) else {
      if context.undoManager == nil {
        context.undoManager = UndoManager()
        // What has a rule is merged under each of them.
        context.mergePolicy = random.pick(ModelContext.MergePolicy.allCases)
      }
      if random.once(in: 4) { return try editDraft(machine) }
      let before = try machine.shownBooks(in: context)
      if let manager = context.undoManager, random.once(in: 3) {
        if manager.canRedo, random.once(in: 3) { manager.redo() } else if manager.canUndo { manager.undo() }
        return machine.unsaved.note(before, try machine.shownBooks(in: context))
      }
      try editSome(context, machine)
      return machine.unsaved.note(before, try machine.shownBooks(in: context))
    }
    let (before, unsaved) = (try machine.bookRows(), machine.unsaved)
    machine.unsaved.end()
    // What others have written to what was not edited is written over.
    isRewriting = context.mergePolicy == .ownObjectWins
    // An undo after the save takes back what others have done to the values, too.
    context.undoManager = nil
    // As with any save, what cannot be saved is taken back.
    do {
      try unsaved.draft?.save()
      try context.save()
    } catch { return context.rollback() }
    if let problem = unsaved.problem(before, try machine.bookRows()) { throw LostEdits(problem: problem) }
  }

  private mutating func editSome(_ context: ModelContext, _ machine: Machine) throws {
    if machine.isLater { try editLater(context) } else { try edit(context) }
    for book in held { if random.once(in: 2) { editMerged(book) } }
    held = []
    context.processPendingChanges()
  }

  /// Edits in a draft, which stays until the save.
  private mutating func editDraft(_ machine: Machine) throws {
    let draft = machine.unsaved.draft ?? ModelContext(draftOf: machine.unsaved.context)
    machine.unsaved.draft = draft
    let before = try machine.shownBooks(in: draft)
    try editSome(draft, machine)
    machine.unsaved.note(before, try machine.shownBooks(in: draft), isDraft: true)
  }

  /// Edits what of a book is merged, so that users meet.
  private mutating func editMerged(_ book: any PersistentModel) {
    switch book {
    case let book as Book where !book.isDeleted: edit(&book.loans, &book.best, &book.marks, &book.lines)
    case let book as LibraryV2.Book where !book.isDeleted: edit(&book.loans, &book.best, &book.marks, &book.lines)
    default: break
    }
  }

  private mutating func edit(_ loans: inout Int, _ best: inout Int, _ marks: inout [String], _ lines: inout [String]) {
    loans += random.below(5)
    // Always more: what is written once more as it is counts as an edit, which nobody sees here.
    best += 1 + random.below(8)
    edit(&marks, "m")
    edit(&lines, "l")
  }
}
