#if !canImport(ObjectiveC)
  import Foundation

  /// Records what takes changes back, and runs it: `Foundation.UndoManager` where Foundation has none.
  ///
  /// Actions are recorded in groups; ``undo()`` takes back a whole group. With ``groupsByEvent`` the first action opens
  /// one. There is no run loop to end it: ``undo()`` does, and so do ``ModelContext/save()`` and
  /// ``ModelContext/processPendingChanges()`` of a context that records here.
  ///
  /// ```swift
  /// context.undoManager = UndoManager()
  /// note.title = "New"
  /// context.undoManager?.undo()  // The old title again.
  /// ```
  /// Like a context it belongs to one actor. Source: Foundation's `UndoManager`.
  open class UndoManager {
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    /// Groups begun and not ended, the outermost first.
    private var open: [UndoGroup] = []
    private var disableCount = 0
    /// Whether the outermost open group was opened by an action, not by ``beginUndoGrouping()``.
    private var isEventGroupOpen = false

    /// Whether an undo is under way: what is recorded now is for redo.
    public private(set) var isUndoing = false
    /// Whether a redo is under way.
    public private(set) var isRedoing = false

    /// Whether an action outside a group opens one that lasts until the next undo or save;
    /// otherwise it is one by itself.
    public var groupsByEvent = true

    /// How many groups are kept for undo, and for redo; 0, the default, for all.
    public var levelsOfUndo = 0 {
      didSet { trim() }
    }

    /// Whether the next group recorded, or the one under way, can be dropped without losing anything a user made.
    private var isNextDiscardable = false

    /// Makes a manager without actions.
    public init() {}

    // MARK: - Grouping

    /// How many groups are begun and not ended.
    public var groupingLevel: Int { open.count }

    /// Begins a group inside the current one, if there is one. Call ``endUndoGrouping()`` as often.
    public func beginUndoGrouping() {
      post(.NSUndoManagerCheckpoint)
      open.append(UndoGroup())
      post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Ends the group begun last. Without one there is nothing to end.
    public func endUndoGrouping() {
      post(.NSUndoManagerCheckpoint)
      guard !open.isEmpty else { return }
      post(.NSUndoManagerWillCloseUndoGroup)
      let group = open.removeLast()
      if open.isEmpty { isEventGroupOpen = false }
      if !group.actions.isEmpty {
        if let outer = open.last {
          outer.actions.append(.group(group))
        } else if isUndoing {
          redoStack.append(group)
        } else {
          undoStack.append(group)
        }
        trim()
      }
      post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Ends the group that an action opened, if that is the current one: an event is over.
    func endEventGroup() {
      if isEventGroupOpen && open.count == 1 { endUndoGrouping() }
    }

    private func trim() {
      guard levelsOfUndo > 0 else { return }
      undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
      redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: - Recording

    /// Whether actions are recorded: not between ``disableUndoRegistration()`` and ``enableUndoRegistration()``.
    public var isUndoRegistrationEnabled: Bool { disableCount == 0 }

    /// Ignores actions until ``enableUndoRegistration()`` was called as often.
    public func disableUndoRegistration() { disableCount += 1 }

    /// Takes one ``disableUndoRegistration()`` back.
    public func enableUndoRegistration() { disableCount = max(0, disableCount - 1) }

    /// Records what takes a change back.
    ///
    /// - Parameters:
    ///   - target: passed to `handler`. Not kept alive: once it is gone the action does nothing.
    ///   - handler: runs on undo. What it records itself is for redo.
    public func registerUndo<TargetType>(
      withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) where TargetType: AnyObject {
      guard isUndoRegistrationEnabled else { return }
      if !isUndoing && !isRedoing { redoStack = [] }
      let isAlone = open.isEmpty && !groupsByEvent
      if open.isEmpty {
        beginUndoGrouping()
        isEventGroupOpen = true
      }
      open.last?.actions.append(
        .action(
          UndoAction(target: target) { target in
            if let target = target as? TargetType { handler(target) }
          }))
      if isNextDiscardable { open.last?.isDiscardable = true }
      if isAlone { endUndoGrouping() }
    }

    /// Forgets everything, open groups included.
    public func removeAllActions() {
      (undoStack, redoStack, open) = ([], [], [])
      isEventGroupOpen = false
      disableCount = 0
    }

    /// Forgets the actions of a target.
    public func removeAllActions(withTarget target: Any) {
      let target = target as AnyObject
      for group in undoStack + redoStack + open { group.remove { $0 === target || $0 == nil } }
      undoStack.removeAll { $0.actions.isEmpty }
      redoStack.removeAll { $0.actions.isEmpty }
    }

    // MARK: - Undo and redo

    /// Whether there is something to undo.
    public var canUndo: Bool {
      post(.NSUndoManagerCheckpoint)
      return !undoStack.isEmpty || open.contains { !$0.actions.isEmpty }
    }

    /// Whether there is something to redo.
    public var canRedo: Bool {
      post(.NSUndoManagerCheckpoint)
      return !redoStack.isEmpty
    }

    /// The number of groups that can be undone.
    public var undoCount: Int { undoStack.count + (open.contains { !$0.actions.isEmpty } ? 1 : 0) }

    /// The number of groups that can be redone.
    public var redoCount: Int { redoStack.count }

    /// Ends the groups that are open and takes the last one back. Without one nothing happens.
    open func undo() {
      guard !isUndoing, !isRedoing else { return }
      while !open.isEmpty { endUndoGrouping() }
      undoNestedGroup()
    }

    /// Takes back the last group, of those that are ended.
    open func undoNestedGroup() {
      post(.NSUndoManagerCheckpoint)
      guard !isUndoing, !isRedoing, let group = undoStack.popLast() else { return }
      post(.NSUndoManagerWillUndoChange)
      isUndoing = true
      run(group)
      isUndoing = false
      post(.NSUndoManagerDidUndoChange)
    }

    /// Takes the last undo back. Without one nothing happens.
    open func redo() {
      post(.NSUndoManagerCheckpoint)
      guard !isUndoing, !isRedoing else { return }
      while !open.isEmpty { endUndoGrouping() }
      guard let group = redoStack.popLast() else { return }
      post(.NSUndoManagerWillRedoChange)
      isRedoing = true
      run(group)
      isRedoing = false
      post(.NSUndoManagerDidRedoChange)
    }

    /// Runs a group's actions, last first, and records what they record as one group of the other stack.
    private func run(_ group: UndoGroup) {
      beginUndoGrouping()
      let opposite = open.last
      opposite?.actionName = group.actionName
      opposite?.isDiscardable = group.isDiscardable
      group.run()
      while let last = open.last {
        endUndoGrouping()
        if last === opposite { break }
      }
    }

    // MARK: - Names

    /// The user info key by which a notification of a closed group tells that it is discardable.
    public static let groupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

    /// Says what the current group does, "Delete Note", or the last one where none is open.
    public func setActionName(_ actionName: String) { (open.last ?? undoStack.last)?.actionName = actionName }

    /// Says that the current group, or the one that the next action opens, can be dropped.
    public func setActionIsDiscardable(_ discardable: Bool) {
      isNextDiscardable = discardable
      open.last?.isDiscardable = discardable
    }

    /// The name of what ``undo()`` would take back; empty when it has none.
    public var undoActionName: String { (open.last { !$0.actions.isEmpty } ?? undoStack.last)?.actionName ?? "" }
    /// The name of what ``redo()`` would do again; empty when it has none.
    public var redoActionName: String { redoStack.last?.actionName ?? "" }
    /// Whether the next group to undo was marked by ``setActionIsDiscardable(_:)``.
    public var undoActionIsDiscardable: Bool { undoStack.last?.isDiscardable ?? false }
    /// Whether the next group to redo was marked by ``setActionIsDiscardable(_:)``.
    public var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
    /// A title for a menu, such as "Undo Delete Note".
    public var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    /// A title for a menu, such as "Redo Delete Note".
    public var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title for a menu of an action with a name. Override it to translate.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title for a menu of an action with a name. Override it to translate.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
      actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    private func post(_ name: Notification.Name) {
      NotificationCenter.default.post(name: name, object: self)
    }
  }

  @available(*, unavailable, message: "an undo manager belongs to one actor")
  extension UndoManager: @unchecked Sendable {}
#endif
