import SyncMerge

// New rows that others refer to, which go before them.
extension SyncTransaction {
  /// The edits of a push without references to those of the rest that are new: they go with the next. A row that the
  /// server has may be referred to, whatever of it is still to be sent.
  func heldBack(_ edits: [SyncEdit], _ rest: [KnownRow]) throws -> [SyncEdit] {
    let rest = Set(rest.filter { $0.replica.pending?.kind == .insert }.map(\.replica.row))
    return try edits.map { edit in
      guard let entity = contract.byNumber[edit.row.entity] else { return edit }
      let fields = edit.fields.filter { number, field in
        let isRequired = entity.indexes[number].map { entity.fields[$0].isRequiredReference } ?? false
        return !isRequired && !rest.isDisjoint(with: field.value.references)
      }.keys
      guard !fields.isEmpty, var known = try known(edit.row) else { return edit }
      known.replica.holdBack(Set(fields))
      known.turn = state.transaction
      try keep(known, entity)
      return known.replica.sent ?? edit
    }
  }

  /// A row that is to be sent, once those are which come before it.
  struct Visited {
    let entity: BoundContract.Entity
    let known: KnownRow
    /// Those with edits that come before it, and that were not looked at yet. See ``PartOrder``.
    var edited: ArraySlice<SyncRowID>
    /// The rows that it refers to and that were not looked at yet: those that are new come before it.
    var referred: ArraySlice<SyncRowID>

    init(_ entity: BoundContract.Entity, _ known: KnownRow, behind edited: [SyncRowID] = []) {
      (self.entity, self.known, self.edited) = (entity, known, edited[...])
      referred = (known.replica.pending?.fields ?? [:]).flatMap(\.value.value.references)[...]
    }

    mutating func next() -> (row: SyncRowID, kind: SyncEdit.Kind)? {
      edited.popFirst().map { ($0, .update) } ?? referred.popFirst().map { ($0, .insert) }
    }
  }

  /// A row that is to go before one, and was not visited before; nil for none.
  func next(before row: inout Visited, _ visited: inout Set<SyncRowID>) throws
    -> (entity: BoundContract.Entity, known: KnownRow)?
  {
    while let (other, kind) = row.next() {
      guard visited.insert(other).inserted else { continue }
      guard let entity = contract.byNumber[other.entity], let known = try noted(other, entity), let turn = known.turn,
        known.replica.pending?.kind == kind, kind == .insert || turn != KnownRow.whenShown
      else {
        visited.remove(other)
        continue
      }
      return (entity, known)
    }
    return nil
  }

  /// What is known of a row, which is noted now if it only had an identity: nobody would hear of
  /// it if it went before its turn.
  private func noted(_ row: SyncRowID, _ entity: BoundContract.Entity) throws -> KnownRow? {
    guard let known = try known(row), known.isFresh, known.key > 0, var stored = try storedRow(known.key, entity) else {
      return try known(row)
    }
    try noteInsertion(known, &stored, known.key, entity, (state.transaction, stamp()))
    return try self.known(row)
  }

  /// Whether a row was made and deleted before the server heard of it, as it never will.
  func wasNeverSent(_ row: SyncRowID) throws -> Bool {
    guard let known = try known(row) else { return false }
    return known.key < 0 && known.isFresh
  }
}

extension KnownRow {
  /// Whether what is to be sent has a row that it must have.
  func mustHave(_ row: SyncRowID, _ entity: BoundContract.Entity) -> Bool {
    (replica.pending?.fields ?? [:]).contains { number, field in
      field.value.references.contains(row)
        && entity.indexes[number].map { entity.fields[$0].isRequiredReference } ?? false
    }
  }
}
