import RoostCore
import RoostEngine
import SyncMerge

// Fields that programs on the file did without for a while, or that are new to it: rows say that the device has seen
// what others wrote up to some place, and of these it has not.
extension SyncTransaction {
  /// Takes note of what the program does without, or does not sync, and has all fetched of what it has again.
  func noteProgram() throws {
    for (entity, fields) in contract.missing {
      for (field, isKept) in fields {
        let place = try state.unseen?[entity]?[field]?.place ?? placeShown(of: entity)
        state.noteMissing(field, in: entity, isKept: isKept, seen: place)
      }
    }
    if state.unseen != nil { for entity in contract.byOrdinal.values { state.fetchUnseen(of: entity) } }
    if contract.localNames.isEmpty, state.localNames == nil { return }
    // What a version without a class had of it is asked for once a session has that again.
    let synced = Set(contract.byOrdinal.values.map(\.root.name))
    let names = (state.localNames ?? [:]).filter { !synced.contains($0.key) }.merging(contract.localNames) { $1 }
    state.localNames = names.isEmpty ? nil : names
  }

  /// The place up to which all that others wrote of a class is shown: rows that wait are not. While all is fetched anew
  /// ``SyncState/pulled`` is the start again, and the rows are what they were.
  private func placeShown(of entity: Int) throws -> Int64 {
    let statement = try connection.statement("SELECT min(sequence) FROM _roost_sync_inbox WHERE entity = ?")
    defer { statement.reset() }
    statement.bind(entity, at: 1)
    let place = state.former?.last?.sequence ?? 0
    guard try statement.step(), !statement.isNull(0) else { return place }
    return max(0, min(place, statement.int64(0) - 1))
  }

  /// Up to where the device has seen what others wrote of a row's field; nil for as far as the row.
  func placeSeen(of field: Int, _ row: SyncRowID) throws -> Int64? {
    guard let unseen = state.unseen?[row.entity]?[field] else { return nil }
    return try unseen.stage == .waiting && !isWaiting(row) ? nil : unseen.place
  }

  /// Whether the file has a later version of a row that is not shown yet.
  private func isWaiting(_ row: SyncRowID) throws -> Bool {
    let statement = try connection.statement(
      "SELECT 1 FROM _roost_sync_inbox WHERE entity = ? AND site = ? AND key = ?")
    defer { statement.reset() }
    statement.bind(row.entity, at: 1)
    statement.bind(Int64(bitPattern: row.site), at: 2)
    statement.bind(row.key, at: 3)
    return try statement.step()
  }

  /// Takes note of the place up to which all changes are shown, but for those that wait.
  func notePulled(_ place: SyncPlace) {
    state.notePulled(place)
    for entity in state.unseen?.keys.sorted() ?? [] where contract.byNumber[entity] != nil {
      state.noteFetched(entity, areShown: inbox.count(of: entity) == 0)
    }
  }
}
