import Foundation
import Roost
import RoostCore
import TestSupport

/// What a user has edited and not saved yet, while other devices' edits come, and what a save must make of it.
struct UnsavedEdits {
  let context: ModelContext
  private var books: [String: Book] = [:]

  /// What was done to a book.
  private struct Book {
    var loans = 0
    var best = 0
    var put: Set<String> = []
    var takenOut: Set<String> = []
  }

  init(_ container: ModelContainer) {
    context = ModelContext(container)
    context.autosaveEnabled = false
  }

  /// Notes what the context showed before an edit, and after.
  mutating func note(_ before: [String: BookFacts], _ after: [String: BookFacts]) {
    for (code, now) in after {
      guard let former = before[code] else { continue }
      var book = books[code] ?? Book()
      book.loans += now.loans - former.loans
      if now.best != former.best { book.best = now.best }
      let (added, removed) = (now.elements.subtracting(former.elements), former.elements.subtracting(now.elements))
      // What was taken back is as if nobody had done it.
      (book.put, book.takenOut) = (
        book.put.subtracting(removed).union(added.subtracting(book.takenOut)),
        book.takenOut.subtracting(added).union(removed.subtracting(book.put))
      )
      books[code] = book
    }
  }

  /// Forgets what was edited: it is saved, or taken back.
  mutating func end() { books = [:] }

  /// What is wrong with what a save has made of the rows; nil for nothing.
  func problem(_ before: [String: BookFacts], _ after: [String: BookFacts]) -> String? {
    for (code, edit) in books.sorted(by: { $0.key < $1.key }) {
      guard let former = before[code], let now = after[code] else { continue }
      if now.loans != former.loans + edit.loans {
        return "\(code) had \(former.loans) loans and has \(now.loans), and \(edit.loans) were added"
      }
      if now.best != max(former.best, edit.best) { return "\(code)'s best was \(former.best) and is \(now.best)" }
      let expected = former.elements.subtracting(edit.takenOut).union(edit.put)
      if now.elements != expected { return "\(code) has \(now.elements.sorted()), not \(expected.sorted())" }
    }
    return nil
  }
}

extension BookFacts {
  fileprivate var elements: Set<String> { Set(marks + lines) }
}

/// A save has lost edits.
struct LostEdits: Error {
  let problem: String
}

extension SyncEdits {
  /// Edits without saving, takes some of that back, or saves it.
  mutating func editUnsaved(_ machine: Machine) throws {
    let context = machine.unsaved.context
    guard context.hasChanges, random.once(in: 2) else {
      let before = try machine.shownBooks(in: context)
      if let manager = context.undoManager, random.once(in: 3) {
        if manager.canRedo, random.once(in: 3) { manager.redo() } else if manager.canUndo { manager.undo() }
        return machine.unsaved.note(before, try machine.shownBooks(in: context))
      }
      if context.undoManager == nil { context.undoManager = UndoManager() }
      if machine.version == LibraryV2.self { try editLater(context) } else { try edit(context) }
      for book in held { if random.once(in: 2) { editMerged(book) } }
      held = []
      context.processPendingChanges()
      return machine.unsaved.note(before, try machine.shownBooks(in: context))
    }
    let (before, unsaved) = (try machine.books(), machine.unsaved)
    machine.unsaved.end()
    // An undo after the save takes back what others have done to the values, too.
    context.undoManager = nil
    // As with any save, what cannot be saved is taken back.
    do { try context.save() } catch { return context.rollback() }
    if let problem = unsaved.problem(before, try machine.books()) { throw LostEdits(problem: problem) }
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
    best += random.below(9)
    edit(&marks, "m")
    edit(&lines, "l")
  }
}
