#if !canImport(ObjectiveC)
  public import Foundation

  /// What one undo takes back.
  final class UndoGroup {
    enum Entry {
      case action(UndoAction)
      case group(UndoGroup)
    }

    var actions: [Entry] = []
    var actionName = ""
    var isDiscardable = false

    func run() {
      for entry in actions.reversed() {
        switch entry {
        case .action(let action): if let target = action.target { action.handler(target) }
        case .group(let group): group.run()
        }
      }
    }

    func remove(where isRemoved: (AnyObject?) -> Bool) {
      actions.removeAll { entry in
        switch entry {
        case .action(let action): return isRemoved(action.target)
        case .group(let group):
          group.remove(where: isRemoved)
          return group.actions.isEmpty
        }
      }
    }
  }

  struct UndoAction {
    weak var target: AnyObject?
    let handler: (AnyObject) -> Void
  }

  extension Notification.Name {
    /// Posted before a group is opened, closed, undone or redone, and when somebody asks whether that is possible.
    public static let NSUndoManagerCheckpoint = Notification.Name("NSUndoManagerCheckpointNotification")
    /// Posted after a group is opened.
    public static let NSUndoManagerDidOpenUndoGroup = Notification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted before a group is closed.
    public static let NSUndoManagerWillCloseUndoGroup = Notification.Name("NSUndoManagerWillCloseUndoGroupNotification")
    /// Posted after a group is closed.
    public static let NSUndoManagerDidCloseUndoGroup = Notification.Name("NSUndoManagerDidCloseUndoGroupNotification")
    /// Posted before an undo.
    public static let NSUndoManagerWillUndoChange = Notification.Name("NSUndoManagerWillUndoChangeNotification")
    /// Posted after an undo.
    public static let NSUndoManagerDidUndoChange = Notification.Name("NSUndoManagerDidUndoChangeNotification")
    /// Posted before a redo.
    public static let NSUndoManagerWillRedoChange = Notification.Name("NSUndoManagerWillRedoChangeNotification")
    /// Posted after a redo.
    public static let NSUndoManagerDidRedoChange = Notification.Name("NSUndoManagerDidRedoChangeNotification")
  }
#endif
