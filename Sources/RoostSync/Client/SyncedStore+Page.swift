package import SyncMerge

// Pages of the server's rows.
extension SyncedStore {
  /// The sequence to ask for the next page from, and the last place that was seen.
  package func pagePlace() throws -> (cursor: Int64, seen: SyncPlace, site: UInt64) {
    try reading { facts in
      let state = try facts.begunState()
      return (state.cursor, state.seen, state.site)
    }
  }

  /// Takes a page.
  ///
  /// - Parameters:
  ///   - page: what the server said.
  ///   - cursor: the sequence that was asked from.
  ///   - seen: the last place that had been seen as it was asked.
  ///   - site: the name that it was asked under; nil for the store's.
  ///   - now: milliseconds since 1970.
  /// - Returns: whether it follows what the device has: if its rows were removed meanwhile
  ///   it does not, and is not taken.
  /// - Throws: what the database reports.
  @discardableResult
  package func receive(
    _ page: SyncPage, behind cursor: Int64, seen: SyncPlace, site: UInt64? = nil, now: UInt64
  ) throws -> Bool {
    try transaction(now: now) { transaction, refused in
      try transaction.finishSweeps()
      let state = transaction.state
      guard state.cursor == cursor, state.seen == seen, state.site == site ?? state.site else { return false }
      // Of a push on its way, whose edits are of what is shown now, the rows must have what became of it; and not of
      // one that a copy of the store has made of that number, or that asks whether it was taken.
      if let outstanding = state.outstanding {
        let own = SyncPushID(number: outstanding.number, identity: outstanding.identity)
        guard page.taken == own else { return false }
        transaction.state.outstanding?.probe = nil
      }
      try transaction.collect(page.records, taken: page.taken.number)
      transaction.state.cursor = max(transaction.state.cursor, page.cursor)
      // Of pages that are not the last one too: what is shown must be of the order that the next ones are of.
      if transaction.state.seen.sequence < page.place.sequence { transaction.state.seen = page.place }
      try transaction.showCollected(besides: refused, isLast: page.isLast)
      try transaction.mergeShownByProgram(contract)
      if page.isLast { transaction.notePulled(page.place) }
      return true
    }
  }
}
