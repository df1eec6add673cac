import Foundation
import Roost

// What history tells of all that was done.
extension SharedWalk {
  /// Forgets all that history tells, as a program does that has seen it.
  func forgetHistory() throws {
    try checkHistory()
    let context = ModelContext(container)
    former = try rows(context)
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    guard try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty else {
      throw SharedMismatch(message: "history is there after it was deleted")
    }
  }

  /// Done again, the insertions and deletions of history lead from the rows that there were to those that there are.
  func checkHistory() throws {
    let context = ModelContext(container)
    var live = former
    var last: DefaultHistoryToken?
    for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
      if let last, !(last < transaction.token) { throw SharedMismatch(message: "tokens are not in order") }
      last = transaction.token
      for change in transaction.changes {
        let identifier = change.changedPersistentIdentifier
        switch change {
        case .insert: if live.insert(identifier).inserted { continue }
        case .update: if live.contains(identifier) { continue }
        case .delete: if live.remove(identifier) != nil { continue }
        }
        throw SharedMismatch(message: "history tells of \(identifier.entityName) \(change) at a wrong time")
      }
    }
    if try live != rows(context) { throw SharedMismatch(message: "history leads to other rows") }
  }

  private func rows(_ context: ModelContext) throws -> Set<PersistentIdentifier> {
    func identifiers<Model: PersistentModel>(_ type: Model.Type) throws -> [PersistentIdentifier] {
      try context.fetchIdentifiers(FetchDescriptor<Model>())
    }
    return Set(
      try identifiers(SharedFolder.self) + identifiers(SharedBadge.self) + identifiers(SharedFile.self)
        + identifiers(SharedTag.self) + identifiers(SharedLock.self) + identifiers(SharedPage.self))
  }
}
