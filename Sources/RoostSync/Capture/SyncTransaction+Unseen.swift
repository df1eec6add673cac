import RoostCore
import RoostEngine
import SyncMerge

// Fields that programs on the file did without for a while, or that are new to it: rows say that the device has seen what others wrote up
// to some place, and of these it has not.
extension SyncTransaction {
  /// Takes note of the fields that the program does without, and has all fetched of those that it has again.
  func noteUnseenFields() throws {
    for (entity, fields) in contract.missing {
      for (field, isKept) in fields {
        let place = try state.placeSeen(of: field, in: entity) ?? placeShown()
        state.noteMissing(field, in: entity, isKept: isKept, seen: place)
      }
    }
    for entity in contract.byOrdinal.values {
      state.fetchUnseen(entity.root.name, entity.number) { entity.indexes[$0] != nil }
    }
    state.localNames = contract.localNames.isEmpty ? nil : contract.localNames
  }

  /// The place up to which all that others wrote is shown: rows that wait are not.
  private func placeShown() throws -> Int64 {
    let statement = try connection.statement("SELECT min(sequence) FROM _roost_sync_inbox")
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return state.pulled.sequence }
    return max(0, min(state.pulled.sequence, statement.int64(0) - 1))
  }

  /// Takes note of the place up to which all changes are shown, but for those that wait.
  func notePulled(_ place: SyncPlace) {
    state.notePulled(place)
    for entity in state.unseen?.keys.sorted() ?? [] where inbox.count(of: entity) == 0 { state.noteFetched(entity) }
  }
}
