public import Foundation

extension ModelContext {
  /// Posted before a save, with the context as object.
  ///
  /// What observers change is saved too; their own ``save()`` does nothing.
  public static let willSave = Notification.Name("ModelContextWillSave")

  /// Posted after a successful save, with the context as object and ``NotificationKey``s in `userInfo`.
  public static let didSave = Notification.Name("ModelContextDidSave")

  /// Posted when a context could not save by itself, with the context as object; see ``autosaveError``.
  public static let autosaveFailed = Notification.Name("ModelContextAutosaveFailed")

  /// The keys of ``didSave``'s `userInfo`.
  public enum NotificationKey: String {
    /// Not in Roost's notifications; it is here so that programs that name it compile.
    case queryGeneration
    /// Not in Roost's notifications, as no save makes all models invalid.
    case invalidatedAllIdentifiers
    /// `[PersistentIdentifier]` of the models inserted.
    case insertedIdentifiers = "inserted"
    /// `[PersistentIdentifier]` of the models edited.
    case updatedIdentifiers = "updated"
    /// `[PersistentIdentifier]` of the models deleted.
    case deletedIdentifiers = "deleted"
    /// `[String: DefaultHistoryToken]`: the place of the save in history, by the store;
    /// not there where none is recorded.
    case historyTokens
  }
}
