import RoostCore
import RoostEngine
import SyncMerge

/// What is known of a row besides the row itself.
struct KnownRow {
  /// The row's own; negative for one that is gone.
  var key: Int64
  var replica: SyncReplica
  /// The transaction of history that first changed what is to be sent; ``whenShown`` for what waits until then.
  var turn: Int64?
  /// Whether what is to be sent is larger than the server takes, refers to a new row of which that is so, or deletes a
  /// row that such an edit let go of, and nothing was done to the row here since that was seen.
  var isTooLarge = false
  /// The values of lists, and positions in lists, as they were last noted, by the numbers of their fields; and what the
  /// server has where this program shows something else in its place.
  var seen: SyncFields<SyncValue> = [:]
  /// Whether the row only has a key so far, and is to be written.
  var isNew = false

  /// Marks an edit that is sent only once its row is shown: until then the server's answer would be the same as before.
  static let whenShown = Int64.max

  /// Has what is to be sent wait for its turn since a transaction of history, unless it waits already.
  mutating func wait(since transaction: Int64) { turn = turn ?? transaction }

  /// The row that it became, where the server made it another one. Such a row has nothing else in ``seen``.
  var mergedInto: SyncRowID? {
    get { if case .row(let other)? = seen[SyncNumbers.classField] { other } else { nil } }
    set { seen = newValue.map { [SyncNumbers.classField: .row($0)] } ?? [:] }
  }

  /// Whether it only has an identity, as another row refers to it: nothing was noted of it yet.
  var isFresh: Bool { replica.sequence == 0 && replica.isSynced }
}

extension SyncTransaction {
  /// The row of an identity; nil for one that the device does not have.
  func known(_ row: SyncRowID) throws -> KnownRow? {
    guard let entity = contract.byNumber[row.entity] else { return nil }
    if try isBeyondKnown(row, entity) {
      return newKeys[row].map { KnownRow(key: $0, replica: SyncReplica(row: row), isNew: true) }
    }
    if let key = newKeys[row] { return KnownRow(key: key, replica: SyncReplica(row: row), isNew: true) }
    let statement = try connection.statement(
      "\(Self.selection) WHERE entity = ? AND site = ? AND key = ?")
    defer { statement.reset() }
    statement.bind(historyNumber(entity), at: 1)
    statement.bind(Int64(bitPattern: row.site), at: 2)
    statement.bind(row.key, at: 3)
    return try statement.step() ? try knownRow(of: entity, statement) : nil
  }

  /// What is known of the row with a key; nil where nothing is.
  ///
  /// `isRenumbered`: whether edits and values have numbers that say nothing any more, so that there are none.
  func known(_ key: Int64, of entity: BoundContract.Entity, isRenumbered: Bool = false) throws -> KnownRow? {
    let statement = try connection.statement("\(Self.selection) WHERE entity = ? AND pk = ?")
    defer { statement.reset() }
    statement.bind(historyNumber(entity), at: 1)
    statement.bind(key, at: 2)
    return try statement.step() ? try knownRow(of: entity, statement, isRenumbered: isRenumbered) : nil
  }

  private static let selection =
    "SELECT pk, site, key, sequence, turn, sent, pending, seen FROM _roost_sync_row"

  private func knownRow(
    of entity: BoundContract.Entity, _ statement: Statement, isRenumbered: Bool = false
  ) throws -> KnownRow {
    func edit(_ column: Int32) throws -> SyncEdit? {
      isRenumbered || statement.isNull(column) ? nil : try statement.decoded(SyncEdit.self, column)
    }
    let identity = SyncRowID(
      entity: entity.number, site: UInt64(bitPattern: statement.int64(1)), key: statement.int64(2))
    return KnownRow(
      key: statement.int64(0),
      replica: SyncReplica(row: identity, sequence: statement.int64(3), sent: try edit(5), pending: try edit(6)),
      turn: statement.isNull(4) ? nil : statement.int64(4),
      isTooLarge: statement.isNull(4) && !statement.isNull(6),
      seen: isRenumbered || statement.isNull(7) ? [:] : try statement.decoded(SyncFields<SyncValue>.self, 7))
  }

  /// The identity of a row that is there: a new one if it has none.
  func identity(of key: Int64, _ entity: BoundContract.Entity) throws -> SyncRowID? {
    let statement = try connection.statement("SELECT site, key FROM _roost_sync_row WHERE entity = ? AND pk = ?")
    defer { statement.reset() }
    statement.bind(historyNumber(entity), at: 1)
    statement.bind(key, at: 2)
    if try statement.step() {
      return SyncRowID(entity: entity.number, site: UInt64(bitPattern: statement.int64(0)), key: statement.int64(1))
    }
    statement.reset()
    guard try isThere(key, entity) else { return nil }
    let row = try keep(SyncReplica(row: newIdentity(entity)), key, entity)
    return row.replica.row
  }

  func newIdentity(_ entity: BoundContract.Entity) -> SyncRowID {
    defer { state.nextKey += 1 }
    // A copy of the file goes on at the same number, and under the same name until the server tells.
    return SyncRowID(entity: entity.number, site: state.site, key: session << 39 | state.nextKey & (1 << 39 - 1))
  }

  func isThere(_ key: Int64, _ entity: BoundContract.Entity) throws -> Bool {
    let statement = try connection.statement(entity.sql.select)
    defer { statement.reset() }
    statement.bind(key, at: 1)
    return try statement.step()
  }

  // MARK: - Writing

  /// Keeps what is known of a row that nothing was known of.
  @discardableResult
  func keep(_ replica: SyncReplica, _ key: Int64, _ entity: BoundContract.Entity) throws -> KnownRow {
    let row = KnownRow(key: key, replica: replica)
    try keep(row, entity)
    return row
  }

  /// Keeps what is known of a row by now. Rows that are gone stay known: another device may still refer to them.
  func keep(_ row: KnownRow, _ entity: BoundContract.Entity) throws {
    let statement = try connection.statement(
      """
      INSERT INTO _roost_sync_row (entity, pk, site, key, sequence, turn, sent, pending, seen) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (entity, pk) DO UPDATE SET sequence = ?5, turn = ?6, \
      sent = ?7, pending = ?8, seen = ?9
      """)
    statement.bind(historyNumber(entity), at: 1)
    statement.bind(row.key, at: 2)
    statement.bind(Int64(bitPattern: row.replica.row.site), at: 3)
    statement.bind(row.replica.row.key, at: 4)
    statement.bind(row.replica.sequence, at: 5)
    if let turn = row.turn, row.replica.pending != nil {
      statement.bind(turn, at: 6)
    } else if row.replica.pending != nil, !row.isTooLarge {
      statement.bind(state.transaction, at: 6)
    } else {
      statement.bindNull(at: 6)
    }
    for (index, edit) in [(Int32(7), row.replica.sent), (8, row.replica.pending)] {
      if let edit { keptBytes += statement.bind(coded: edit, at: index) } else { statement.bindNull(at: index) }
    }
    bindSeen(of: row, to: statement, at: 9)
    try statement.run()
    noteKnown(row.replica.row)
    // Others may wait for it.
    if row.isTooLarge, row.turn != nil || row.replica.pending == nil { try retrySetAside() }
  }

  func bindSeen(of row: KnownRow, to statement: Statement, at parameter: Int32) {
    if row.seen.isEmpty { statement.bindNull(at: parameter) } else { statement.bind(coded: row.seen, at: parameter) }
  }

  /// Frees the key of a row that is gone: another program may give it to a new one.
  func moveAside(_ row: inout KnownRow, _ entity: BoundContract.Entity) throws {
    if row.key >= 0, let key = try moveAside(row.key, of: historyNumber(entity)) { row.key = key }
  }

  /// The same for a row of any class, by the number that history has for it. Returns the key
  /// that it has now; nil for none.
  func moveAside(_ key: Int64, of entity: Int64) throws -> Int64? {
    let statement = try connection.statement(
      """
      UPDATE _roost_sync_row SET pk = (SELECT min(0, min(pk)) - 1 FROM _roost_sync_row WHERE entity = ?1) \
      WHERE entity = ?1 AND pk = ?2 RETURNING pk
      """)
    defer { statement.reset() }
    statement.bind(entity, at: 1)
    statement.bind(key, at: 2)
    return try statement.step() ? statement.int64(0) : nil
  }

  /// Gives a known row that is gone a key again.
  func bringBack(_ row: inout KnownRow, as key: Int64, _ entity: BoundContract.Entity) throws {
    let seen = row.mergedInto == nil ? "" : ", seen = NULL"
    let statement = try connection.statement("UPDATE _roost_sync_row SET pk = ?3\(seen) WHERE entity = ?1 AND pk = ?2")
    statement.bind(historyNumber(entity), at: 1)
    statement.bind(row.key, at: 2)
    statement.bind(key, at: 3)
    try statement.run()
    row.key = key
    if row.mergedInto != nil { row.mergedInto = nil }
  }
}
