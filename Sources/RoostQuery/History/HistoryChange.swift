public import RoostCore

/// What a transaction did to one model.
///
/// ```swift
/// for case .insert(let insert) in transaction.changes { print(insert.changedPersistentIdentifier) }
/// ```
/// Source: SwiftData's `HistoryChange`.
public enum HistoryChange: Sendable {
  /// It was inserted.
  case insert(any HistoryInsert)
  /// It was edited.
  case update(any HistoryUpdate)
  /// It was deleted.
  case delete(any HistoryDelete)

  /// The model.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let insert): insert.changedPersistentIdentifier
    case .update(let update): update.changedPersistentIdentifier
    case .delete(let delete): delete.changedPersistentIdentifier
    }
  }

  /// The model's row, whatever its class is called later; nil for a change of another type than Roost's.
  public var rowIdentity: RowIdentity? {
    let change: any Sendable =
      switch self {
      case .insert(let insert): insert
      case .update(let update): update
      case .delete(let delete): delete
      }
    return (change as? any RowChange)?.rowIdentity
  }
}
