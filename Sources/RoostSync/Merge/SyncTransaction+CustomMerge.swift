import Logging
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

// Attributes that the program merges.
extension SyncTransaction {
  /// Has the program merge what was written here and what the rows that were just shown have. The
  /// server will not see the former.
  func mergeShownByProgram(_ program: SyncContract) throws {
    conflicts = try mergeByProgram(conflicts, program, in: Set(conflicts.map(\.row)))
  }

  /// Has the program merge what the server left to it, and writes that as a change of this device.
  ///
  /// - Parameters:
  ///   - conflicts: what a push met.
  ///   - program: has the program's functions.
  ///   - answered: the rows that came with the answer. Of others, and of those that cannot be shown yet, nobody knows
  ///     here what the server has: what was sent of them is to be sent again, once they are shown.
  /// - Returns: the conflicts, with what became of them.
  /// - Throws: what the database reports. Where a function gives what the row cannot have, the server's value stays.
  func mergeByProgram(
    _ conflicts: [SyncConflict], _ program: SyncContract, in answered: Set<SyncRowID>
  ) throws -> [SyncConflict] {
    var told = conflicts
    for (place, conflict) in conflicts.enumerated() where conflict.outcome == .open {
      if try mergeByProgram(conflict, program, in: answered) { told[place].outcome = .merged }
    }
    return told
  }

  /// Returns whether the program has merged it.
  private func mergeByProgram(
    _ conflict: SyncConflict, _ program: SyncContract, in answered: Set<SyncRowID>
  ) throws -> Bool {
    guard let number = conflict.field, let entity = contract.byNumber[conflict.row.entity],
      let index = entity.indexes[number], entity.fields[index].definition.policy == .custom,
      let column = entity.columns[index]
    else { return false }
    // It would be sent again and again, as only a later program sees what the server has.
    if inbox.isUnknown(conflict.row) { return false }
    if !answered.contains(conflict.row) || inbox.has(conflict.row) {
      try sendAgain(conflict, number, entity)
      return false
    }
    let property = entity.fields[index].property
    guard let known = try known(conflict.row), known.key > 0,
      let stored = try storedRow(known.key, entity)?.columns[column],
      let remote = try value(of: entity.fields[index], stored)?.stored,
      let merge = program.merge(of: property),
      let ancestor = conflict.ancestor.stored, let local = conflict.client.value.stored
    else { return false }
    // The journal has both values, and all other rows go on.
    do {
      guard let merged = try merge.merge(ancestor, remote, local) else { return false }
      try connection.savepoint { try write(SyncValue(merged), to: number, of: conflict.row, entity) }
      return true
    } catch let error as DatabaseError where error.primaryCode != DatabaseError.constraint {
      throw error
    } catch let error as ExternalFileError {
      throw error
    } catch {
      store.logger.warning(
        "What the program merges to cannot be stored",
        metadata: ["model": "\(property.owner.name)", "property": "\(property.name)", "error": "\(error)"])
    }
    return false
  }

  /// Has an edit be sent once more, or the later one, upon what the former was written upon.
  private func sendAgain(_ conflict: SyncConflict, _ number: Int, _ entity: BoundContract.Entity) throws {
    guard var known = try known(conflict.row), known.key > 0 else { return }
    known.replica.writeAgain(conflict.client.value, to: number, former: conflict.ancestor, stamp())
    known.turn = inbox.has(conflict.row) ? KnownRow.whenShown : known.turn ?? state.transaction
    try keep(known, entity)
  }
}
