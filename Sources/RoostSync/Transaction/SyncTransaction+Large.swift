import RoostEngine
import SyncMerge

// What is larger than the server takes waits, with the new rows that must have it, until it changes or another
// session begins: all others go on.
extension SyncTransaction {
  /// What is true of the rows that wait.
  static let isSetAside = "pending IS NOT NULL AND turn IS NULL"

  /// Has a row's change wait.
  ///
  /// - Parameters:
  ///   - known: what is known of the row, with what is to be sent.
  ///   - entity: its class.
  ///   - edits: those of the push that is made.
  ///   - letGo: gets the rows that what waits lets go of, whose deletions wait with it.
  /// - Returns: the edits without these deletions, and without what refers to a new row that waits: rows of a
  ///   circle may go before each other.
  /// - Throws: what the database reports.
  func setAside(
    _ known: KnownRow, _ entity: BoundContract.Entity, from edits: [SyncEdit], letGo: inout Set<SyncRowID>
  ) throws -> [SyncEdit] {
    let statement = try connection.statement("UPDATE _roost_sync_row SET turn = NULL WHERE entity = ? AND pk = ?")
    statement.bind(historyNumber(entity), at: 1)
    statement.bind(known.key, at: 2)
    try statement.run()
    var (rest, found) = (edits, known.rowsLetGo)
    let isAwaited = known.replica.pending.map { edit in
      edit.kind == .insert && edit.fields.values.contains { !$0.value.references.isEmpty }
    }
    var waiting = isAwaited ?? false ? [known.replica.row] : []
    while let row = waiting.popLast() {
      rest = try rest.compactMap { edit -> SyncEdit? in
        let fields = edit.fields.filter { $0.value.value.references.contains(row) }.keys
        guard !fields.isEmpty, let entity = contract.byNumber[edit.row.entity], var known = try self.known(edit.row)
        else { return edit }
        if !holdBack(Set(fields), of: &known, entity) {
          known.replica.withdraw()
          (known.turn, known.isTooLarge) = (nil, true)
          if edit.kind == .insert { waiting.append(edit.row) }
        }
        found += known.rowsLetGo
        try keep(known, entity)
        return known.replica.sent
      }
    }
    letGo.formUnion(found)
    return try withdrawDeletions(of: found, from: rest)
  }

  /// The rows that edits which wait let go of: a deletion of one waits too, as the server would
  /// take along what was moved away.
  func rowsLetGo() throws -> Set<SyncRowID> {
    var rows: Set<SyncRowID> = []
    for (entity, key) in try keys(Self.isSetAside, limit: -1) {
      if let edit = try known(key, of: entity)?.replica.pending { rows.formUnion(edit.rowsLetGo) }
    }
    return rows
  }

  /// Has the deletions of rows wait that are in a push which is made. Returns the push's other edits.
  func withdrawDeletions(of rows: [SyncRowID], from edits: [SyncEdit]) throws -> [SyncEdit] {
    if rows.isEmpty { return edits }
    let rows = Set(rows)
    return try edits.filter { edit in
      guard edit.kind == .delete, rows.contains(edit.row), let entity = contract.byNumber[edit.row.entity],
        var known = try known(edit.row)
      else { return true }
      known.replica.withdraw()
      (known.turn, known.isTooLarge) = (nil, true)
      try keep(known, entity)
      return false
    }
  }

  /// Holds back what of an edit that is about to be sent refers to new rows that wait.
  ///
  /// Returns false, with nothing done, where nothing would be left, or the row must have one of them.
  func holdBackWaiting(of known: inout KnownRow, _ entity: BoundContract.Entity) throws -> Bool {
    let fields = try (known.replica.sent?.fields ?? [:]).filter { _, field in
      try field.value.references.contains { row in
        guard let other = try self.known(row) else { return false }
        return other.isTooLarge && other.replica.pending?.kind == .insert
      }
    }.keys
    return holdBack(Set(fields), of: &known, entity)
  }

  private func holdBack(_ fields: Set<Int>, of known: inout KnownRow, _ entity: BoundContract.Entity) -> Bool {
    guard !fields.isEmpty, let edit = known.replica.sent, edit.kind != .delete else { return true }
    let isNeeded = fields.contains { number in
      entity.indexes[number].map { entity.fields[$0].isRequiredReference } ?? false
    }
    if edit.kind == .insert ? isNeeded : fields.count == edit.fields.count { return false }
    known.replica.holdBack(fields)
    (known.turn, known.isTooLarge) = (nil, true)
    return true
  }

  /// Takes back a push that was refused as too large, though it is within what the server said: whatever is in front of
  /// it may take less. One that the server may have all the same, as an answer was lost, is asked for first: were it
  /// taken twice, counters would count twice.
  ///
  /// `identity`: a random number.
  func takeBackLarge(identity: UInt64) throws {
    guard let outstanding = state.outstanding else { return }
    if outstanding.isRepeated ?? false {
      state.outstanding?.probe = outstanding.probe ?? identity
      return
    }
    // The server has not taken it, so that the next one is of its number.
    state.lastPush = outstanding.number - 1
    try takeBackSent()
  }

  /// Takes back what was sent, which the server has not taken. The next pushes are half as large,
  /// and an edit that was alone waits.
  func takeBackSent() throws {
    let sent = try connection.sentRows()
    if sent.count == 1, var row = sent.first {
      row.replica.takeBack()
      let rules = contract.byNumber[row.replica.row.entity]?.rules
      let isSmaller = rules.map { row.replica.leaveAncestorsOut($0) } ?? false || row.replica.leaveValuesOut()
      // nil: it waits.
      row.turn =
        isSmaller
        ? row.turn ?? state.outstanding?.oldest ?? state.transaction : nil
      try connection.keep(row)
    } else if sent.count > 1 {
      try connection.takeBackSent(turn: state.outstanding?.oldest ?? state.transaction)
      state.mostBytes = sent.reduce(0) { $0 + ($1.replica.sent?.encoded.count ?? 0) } / 2
    }
    state.outstanding = nil
  }

  /// Notes that rows with a waiting edit are gone: SQLite deleted them with what others deleted.
  func noteTakenAlong() throws {
    for (entity, key) in try keys(Self.isSetAside, limit: -1) where try key > 0 && !isThere(key, entity) {
      guard var known = try known(key, of: entity) else { continue }
      let stamp = stamp()
      // The server may never have heard of it.
      var former = known.replica
      if let conflict = former.discardPending(for: SyncDeletion(stamp: stamp, sequence: 0)) { note([conflict]) }
      try noteDeletion(&known, entity, (state.transaction, stamp))
    }
  }

  /// Has all be tried again that was larger than the server took, and that waits for its row to be
  /// shown: the server may take it now.
  func retryWaiting() throws {
    try retrySetAside()
    // Each has an index.
    for isThere in ["pk >= 0", "pk < 0"] { try retry("turn = \(KnownRow.whenShown) AND \(isThere)") }
  }

  /// Has all be tried again that waits since something was larger than the server takes.
  func retrySetAside() throws { try retry(Self.isSetAside) }

  private func retry(_ condition: String) throws {
    let statement = try connection.statement("UPDATE _roost_sync_row SET turn = ? WHERE \(condition)")
    statement.bind(state.transaction, at: 1)
    try statement.run()
  }
}

extension SyncEdit {
  /// The rows that a row referred to before.
  fileprivate var rowsLetGo: [SyncRowID] { fields.values.flatMap(\.ancestor.references) }
}

extension KnownRow {
  /// The rows that what is to be sent lets go of.
  var rowsLetGo: [SyncRowID] { replica.pending?.rowsLetGo ?? [] }
}
