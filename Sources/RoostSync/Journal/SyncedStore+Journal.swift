import Foundation
import RoostCore
import RoostEngine
import RoostSQL
import SyncMerge

extension SyncedStore {
  /// The journal; see ``SyncEngine/conflicts(where:limit:)``.
  package func conflicts(
    limit: Int?, where isMeant: (SyncConflictEntry) throws -> Bool = { _ in true }
  ) throws -> [SyncConflictEntry] {
    let store = try store
    return try SwiftDataError.translating {
      try store.pool.read { connection in
        try connection.transaction(.deferred) {
          let facts = facts(connection)
          guard let state = try facts.state, let contract = try boundContract(facts) else {
            // Nobody has met anybody yet; or the program is new to the server, and the
            // journal has the numbers of before.
            if try facts.sessionText != nil { throw SyncedStoreError.notBegun }
            return []
          }
          let transaction = try SyncTransaction(
            store, connection, contract, state, now: SyncEngine.clockTime, session: session, pushSize, files: nil)
          return try transaction.journal(limit: limit, where: isMeant)
        }
      }
    }
  }

  /// Decides a conflict again; see ``SyncEngine/resolve(_:keeping:)``.
  package func resolve(
    _ number: Int64, keeping choice: SyncEngine.Choice, now: UInt64 = SyncEngine.clockTime
  ) throws {
    try transaction(now: now) { transaction, _ in try transaction.resolve(number, keeping: choice) }
  }
}

// The journal of conflicts.
extension SyncTransaction {
  /// Keeps the conflicts that were met, but for those that it has already: an answer that was lost comes again. Of too
  /// many those go that were resolved, and then the oldest.
  ///
  /// `most`: how many are kept. Returns how many are new to who reads the journal.
  func noteConflicts(keeping most: Int) throws -> Int {
    if conflicts.isEmpty { return 0 }
    var count = 0
    for conflict in conflicts {
      let statement = try connection.statement(
        """
        INSERT INTO _roost_sync_conflict (time, body) SELECT ?1, ?2 \
        WHERE NOT EXISTS (SELECT 1 FROM _roost_sync_conflict \
        WHERE substr(body, 1, 32) = substr(?2, 1, 32) AND body = ?2 AND time > ?1 - 86400)
        """)
      statement.bind(Double(now) / 1_000, at: 1)
      statement.bind(coded: conflict, at: 2)
      try statement.run()
      if connection.changes > 0, isToBeTold(conflict) { count += 1 }
    }
    let pruning = try connection.statement(
      """
      DELETE FROM _roost_sync_conflict WHERE id IN (SELECT id FROM _roost_sync_conflict ORDER BY is_resolved DESC, id \
      LIMIT max(0, (SELECT count(*) FROM _roost_sync_conflict) - ?))
      """)
    pruning.bind(most, at: 1)
    try pruning.run()
    return count
  }

  /// Whether a user can say anything of a conflict: not of a field that this program does not
  /// have, or of positions in lists.
  private func isToBeTold(_ conflict: SyncConflict) -> Bool {
    guard let entity = contract.byNumber[conflict.row.entity] else { return false }
    guard let number = conflict.field else { return true }
    return entity.indexes[number].map { !entity.fields[$0].isPosition } ?? false
  }

  /// Has the journal's conflicts be of the same classes and fields by other numbers. Those of what has none now go.
  func renumberJournal(from former: SyncNumbers, to numbers: SyncNumbers) throws {
    let selection = try connection.statement("SELECT id, body FROM _roost_sync_conflict")
    defer { selection.reset() }
    var renumbered: [(id: Int64, conflict: SyncConflict?)] = []
    while try selection.step() {
      let conflict = try selection.decoded(SyncConflict.self, 1)
      renumbered.append((selection.int64(0), conflict.renumbered(from: former, to: numbers)))
    }
    selection.reset()
    for (id, conflict) in renumbered {
      let change = conflict == nil ? "DELETE FROM _roost_sync_conflict" : "UPDATE _roost_sync_conflict SET body = ?2"
      let statement = try connection.statement("\(change) WHERE id = ?1")
      statement.bind(id, at: 1)
      if let conflict { statement.bind(coded: conflict, at: 2) }
      try statement.run()
    }
  }

  func journal(
    limit: Int?, where isMeant: (SyncConflictEntry) throws -> Bool
  ) throws -> [SyncConflictEntry] {
    let statement = try connection.statement(
      """
      SELECT id, time, body, is_resolved FROM _roost_sync_conflict ORDER BY id DESC
      """)
    defer { statement.reset() }
    var entries: [SyncConflictEntry] = []
    while entries.count < limit ?? .max, try statement.step() {
      let conflict = try statement.decoded(SyncConflict.self, 2)
      guard let entity = contract.byNumber[conflict.row.entity], isToBeTold(conflict) else { continue }
      let field = conflict.field.flatMap { entity.indexes[$0] }.map { entity.fields[$0] }
      func stored(_ value: SyncValue) throws -> SQLValue? {
        guard let field, !field.isReference, !field.isLinks else { return nil }
        return try column(value, field)
      }
      // Its deletion may not have been noted yet.
      let key = try known(merged(conflict.row) ?? conflict.row).flatMap {
        try $0.key > 0 && isThere($0.key, entity) ? $0.key : nil
      }
      let entry = SyncConflictEntry(
        id: statement.int64(0), date: Date(timeIntervalSince1970: statement.double(1)),
        model: field?.property.owner.name ?? entity.root.name, property: field?.property.name,
        row: key.map { PersistentIdentifier(scope: store.scopes[entity.root.ordinal], key: $0) },
        ancestor: try stored(conflict.ancestor) ?? .null, local: try stored(conflict.client.value),
        remote: try stored(conflict.server.value), outcome: SyncConflictEntry.Outcome(conflict.outcome),
        isResolved: statement.int64(3) != 0,
        reader: field.map { JournalReader(property: $0.property, schema: store.schema) })
      if try isMeant(entry) { entries.append(entry) }
    }
    return entries
  }

  func resolve(_ number: Int64, keeping choice: SyncEngine.Choice) throws {
    let statement = try connection.statement("SELECT body FROM _roost_sync_conflict WHERE id = ?")
    statement.bind(number, at: 1)
    guard try statement.step() else { return statement.reset() }
    let conflict = try statement.decoded(SyncConflict.self, 0)
    statement.reset()
    let isResolved = try connection.statement("UPDATE _roost_sync_conflict SET is_resolved = 1 WHERE id = ?")
    isResolved.bind(number, at: 1)
    try isResolved.run()
    guard let entity = contract.byNumber[conflict.row.entity] else { return }
    let row = try merged(conflict.row) ?? conflict.row
    guard let field = conflict.field else {
      if !choice.isSeen(by: conflict.outcome) { try bringBack(row, entity) }
      return
    }
    let value =
      switch choice {
      case .local: conflict.client.value
      case .remote: conflict.server.value
      case .ancestor: conflict.ancestor
      case .current: nil as SyncValue?
      }
    guard let value, let index = entity.indexes[field] else { return }
    let isKnown = choice != .remote || !conflict.server.isUnknown
    try write(present(value, isKnown: isKnown, in: entity.fields[index], choice), to: field, of: row, entity)
  }

  /// A version as it can be written now: of the rows that others became, and without those of a list that are gone.
  private func present(
    _ value: SyncValue, isKnown: Bool, in field: SyncedField, _ choice: SyncEngine.Choice
  ) throws -> SyncValue {
    func error(_ reason: String) -> SwiftDataError {
      SwiftDataError(
        .modelValidationFailure, reason, model: field.property.owner.name, property: field.property.name,
        remedy: "Keep another version.")
    }
    let property = field.property
    if value == .tooLarge { throw error("That version was too large to be kept.") }
    if value == .null {
      // What was in a file before is not known.
      let isKnown = isKnown && property.isOptional && (field.fileType == nil || choice != .ancestor)
      if field.isPosition || property.isList || isKnown { return value }
      throw error("That version is not known, or there was none.")
    }
    if value.references.isEmpty, !field.isReference {
      if try canShow(value, in: field) { return value }
      throw error("Only a later version of the program can read that version.")
    }
    let present = try value.replacing { row in
      let row = try merged(row) ?? row
      return try known(row).map { $0.key > 0 } ?? false ? .row(row) : .null
    }
    if present == .null || field.isReference && present.references.isEmpty {
      throw error("The row that it refers to is gone.")
    }
    return present
  }

  /// Has the server show a row again that was deleted.
  private func bringBack(_ row: SyncRowID, _ entity: BoundContract.Entity) throws {
    guard var known = try known(row), known.key < 0 else { return }
    // Another account's server has never heard of it, and would make an empty row.
    if known.isFresh {
      throw SwiftDataError(
        .modelValidationFailure, "The row is not known to the server any more.", model: entity.root.name,
        remedy: "Make it anew from what the conflict says.")
    }
    known.replica.bringBack(stamp())
    known.wait(since: state.transaction)
    try keep(known, entity)
  }

  /// Writes a value as a change of this device.
  func write(_ value: SyncValue, to number: Int, of row: SyncRowID, _ entity: BoundContract.Entity) throws {
    guard var known = try known(row), known.key > 0, let stored = try storedRow(known.key, entity),
      let index = entity.indexes[number]
    else { return }
    let former: SyncValue = try self.value(at: index, of: stored, known.key, entity) ?? .null
    if former == value { return }
    known.replica.write(value, to: number, former: former, stamp())
    known.wait(since: state.transaction)
    try keep(known, entity)
    var values: SyncFields<SyncValue> = [number: value]
    // An attribute of the row's class may have to have a value.
    if let type = stored.type, let number = entity.classes[type] {
      values[SyncNumbers.classField] = .integer(Int64(number))
    }
    let fields = values.mapValues { SyncField(value: $0, stamp: SyncStamp(time: 0, site: 0), sequence: 0) }
    try write(SyncRecord(row: row, sequence: 0, fields: fields), &known, entity)
  }
}
