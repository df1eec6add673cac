import Foundation
import RoostEngine
import SyncMerge

// What is sent.
extension SyncTransaction {
  func nextPush(identity: UInt64) throws -> SyncPush? {
    var edits: [SyncEdit] = []
    if state.outstanding != nil {
      edits = try connection.sentRows().compactMap(\.replica.sent)
      // Nothing of it is left: another program on the file has taken the rows, with it in them.
      // What it met the answer has alone.
      if edits.isEmpty, let identity = state.outstanding?.identity { state.outstanding?.probe = identity }
      state.outstanding?.isRepeated = true
    }
    if state.outstanding == nil {
      let oldest = try oldestTurn()
      // Those that come first may all have to wait.
      var isAnySetAside = true
      while edits.isEmpty, isAnySetAside { edits = try takeEdits(&isAnySetAside) }
      if edits.isEmpty { return nil }
      state.lastPush += 1
      state.outstanding = SyncState.Outstanding(number: state.lastPush, identity: identity, oldest: oldest)
    }
    guard let outstanding = state.outstanding else { return nil }
    return SyncPush(
      site: state.site, number: outstanding.number, identity: outstanding.probe ?? outstanding.identity,
      seen: state.seen,
      edits: outstanding.probe == nil ? edits : [])
  }

  /// Takes note that the server has what was sent of rows that were not shown: those of models which the program does
  /// not sync any more, and those that the answer had no room for, which pages have.
  func acknowledgeSent(_ records: [SyncRecord]) throws {
    let records = Dictionary(records.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
    for var row in try connection.sentRows() {
      row.replica.acknowledge(records[row.replica.row])
      try connection.keep(row)
    }
  }

  /// How many rows of a push are read before one that they must have: all of an album's photos would be.
  private static let mostBehind = 100

  /// Those that were there first, as many as the server takes at once, each behind the new rows that it refers to, or
  /// with them where they refer to each other.
  ///
  /// A device that sends no more after some push leaves no row behind that others wait for. `isAnySetAside`:
  /// whether some are to wait from now on.
  private func takeEdits(_ isAnySetAside: inout Bool) throws -> [SyncEdit] {
    var (edits, bytes): ([SyncEdit], Int) = ([], 0)
    var visited: Set<SyncRowID> = []
    var isAnyWaiting = try !keys(Self.isSetAside, limit: 1).isEmpty
    isAnySetAside = false
    var letGo = isAnyWaiting ? try rowsLetGo() : []
    // Read one by one: all that waits may be far more than a push has room for.
    let (rows, most) = try nextRows()
    // Where all goes in one push the order does not matter.
    let end = state.partsUpTo
    // Of how many rows one was put in front.
    var behind = 0
    func visit(_ entity: BoundContract.Entity, _ known: KnownRow) throws -> Visited {
      Visited(entity, known, behind: try end.map { try self.rows(before: known, entity, upTo: $0) } ?? [])
    }
    for first in rows {
      guard let known = try known(first.key, of: first.entity), visited.insert(known.replica.row).inserted else {
        continue
      }
      var stack = [try visit(first.entity, known)]
      while !stack.isEmpty {
        if let (entity, known) = try next(before: &stack[stack.count - 1], &visited) {
          // What must have the one that refers to it goes behind that.
          let last = stack[stack.count - 1].known.replica
          let isBehind =
            behind < Self.mostBehind && last.pending?.kind == .insert && known.mustHave(last.row, entity)
          if isBehind { behind += 1 }
          stack.insert(try visit(entity, known), at: isBehind ? stack.count - 1 : stack.count)
          continue
        }
        let (entity, known) = (stack[stack.count - 1].entity, stack[stack.count - 1].known)
        guard edits.count < contract.limits.edits else { return try heldBack(edits, stack.map(\.known)) }
        stack.removeLast()
        var sent = known
        // One that was never sent may be another one by now.
        try sent.replica.redirect(merged)
        try sent.replica.forgetReferences(where: wasNeverSent)
        guard sent.replica.send() != nil else { continue }
        let canGo = isAnyWaiting ? try holdBackWaiting(of: &sent, entity) : true
        guard let edit = sent.replica.sent else { continue }
        let size = edit.encoded.count
        let mustWait = edit.kind == .delete && letGo.contains(edit.row)
        let isTooLarge = size > contract.limits.bytes || edit.hasValueTooLarge
        if mustWait || !canGo || isTooLarge {
          var rest = known
          if isTooLarge && rest.replica.leaveAncestorsOut(entity.rules) || !mustWait && rest.replica.leaveValuesOut() {
            try keep(rest, entity)
            stack.append(Visited(entity, rest))
          } else {
            edits = try setAside(known, entity, from: edits, letGo: &letGo)
            (isAnyWaiting, isAnySetAside) = (true, true)
          }
          continue
        }
        // What of it is held back.
        if sent.isTooLarge {
          edits = try withdrawDeletions(of: sent.rowsLetGo, from: edits)
          letGo.formUnion(sent.rowsLetGo)
        }
        if !edits.isEmpty, bytes + size > most {
          return try heldBack(edits, stack.map(\.known) + [known])
        }
        bytes += size
        sent.turn = nil
        try keep(sent, entity)
        edits.append(edit)
      }
    }
    return edits
  }

  /// The keys of the program's classes' rows that a condition is true of, which may be followed by an order.
  ///
  /// What is known of rows of a class that was taken out of the program stays, and is no part of a limit.
  func keys(
    _ condition: String, limit: Int, _ arguments: [Int64] = []
  ) throws -> [(entity: BoundContract.Entity, key: Int64)] {
    let entities = Dictionary(
      contract.byOrdinal.values.map { (historyNumber($0), $0) }, uniquingKeysWith: { first, _ in first })
    // The plus keeps SQLite at the index of the condition.
    let statement = try connection.statement(
      "SELECT entity, pk FROM _roost_sync_row WHERE +entity IN (\(entities.keys.sqlList)) AND \(condition) LIMIT ?")
    defer { statement.reset() }
    for (place, argument) in arguments.enumerated() { statement.bind(argument, at: Int32(place + 1)) }
    statement.bind(limit, at: Int32(arguments.count + 1))
    var keys: [(entity: BoundContract.Entity, key: Int64)] = []
    while try statement.step() {
      if let entity = entities[statement.int64(0)] { keys.append((entity, statement.int64(1))) }
    }
    return keys
  }
}

extension Collection<Int64> {
  /// Numbers as SQL has them in a list, always in one order.
  var sqlList: String { sorted().map { "\($0)" }.joined(separator: ", ") }
}
