import Foundation
import Roost
import Testing

/// The undo manager by itself.
@Suite struct UndoManagerTests {
  private final class Counter {
    var value = 0
    let manager = UndoManager()

    func set(_ newValue: Int) {
      let old = value
      manager.registerUndo(withTarget: self) { $0.set(old) }
      value = newValue
    }

    func inGroup(_ body: () -> Void) {
      manager.beginUndoGrouping()
      body()
      manager.endUndoGrouping()
    }
  }

  @Test func `a group is undone at once, last action first, and redone`() {
    let counter = Counter()
    counter.inGroup {
      counter.set(1)
      counter.inGroup { counter.set(2) }
      counter.set(3)
    }
    counter.inGroup { counter.set(4) }
    counter.manager.undo()
    #expect(counter.value == 3)
    counter.manager.undo()
    #expect(counter.value == 0 && !counter.manager.canUndo && counter.manager.redoCount == 2)
    counter.manager.redo()
    counter.manager.redo()
    #expect(counter.value == 4 && !counter.manager.canRedo)
  }

  @Test func `actions outside groups are one group until the undo, or each its own`() {
    let counter = Counter()
    counter.set(1)
    counter.set(2)
    #expect(counter.manager.groupingLevel == 1 && counter.manager.undoCount == 1)
    counter.manager.undo()
    #expect(counter.value == 0 && counter.manager.groupingLevel == 0)

    counter.manager.groupsByEvent = false
    counter.set(1)
    counter.set(2)
    counter.manager.undo()
    #expect(counter.value == 1)
  }

  @Test func `a new action forgets what could be redone`() {
    let counter = Counter()
    counter.set(1)
    counter.manager.undo()
    #expect(counter.manager.canRedo)
    counter.set(2)
    #expect(!counter.manager.canRedo)
  }

  @Test func `only so many groups are kept`() {
    let counter = Counter()
    counter.manager.levelsOfUndo = 2
    for value in 1...5 { counter.inGroup { counter.set(value) } }
    while counter.manager.canUndo { counter.manager.undo() }
    #expect(counter.value == 3)
  }

  @Test func `nothing is recorded while registration is disabled`() {
    let counter = Counter()
    counter.manager.disableUndoRegistration()
    counter.set(1)
    counter.manager.enableUndoRegistration()
    #expect(!counter.manager.canUndo && counter.manager.isUndoRegistrationEnabled)
  }

  @Test func `a target is not kept, and its actions can be forgotten`() {
    let counter = Counter()
    var other: Counter? = Counter()
    counter.manager.registerUndo(withTarget: other!) { $0.value = 7 }
    counter.inGroup { counter.set(1) }
    counter.manager.removeAllActions(withTarget: counter)
    weak let gone = other
    other = nil
    #expect(gone == nil)
    counter.manager.undo()
    #expect(counter.value == 1)
  }

  @Test func `groups have names, also for redo`() {
    let counter = Counter()
    counter.inGroup {
      counter.set(1)
      counter.manager.setActionName("Count")
    }
    #expect(counter.manager.undoMenuItemTitle == "Undo Count" && counter.manager.redoMenuItemTitle == "Redo")
    counter.manager.undo()
    #expect(counter.manager.redoActionName == "Count" && counter.manager.undoActionName == "")
  }
}
