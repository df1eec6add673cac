import RoostEngine
import SyncMerge

/// A row with what the server has yet to take of it.
///
/// Of whichever class: what is on its way is part of its push, also of a class that the program does not sync any more.
struct EditedRow {
  /// What history has for its class.
  let entity: Int64
  let key: Int64
  /// See ``KnownRow/turn``.
  var turn: Int64?
  var replica: SyncReplica
}

extension Connection {
  /// The rows of the push that is on its way, always in one order.
  func sentRows() throws -> [EditedRow] {
    try editedKeys("sent IS NOT NULL ORDER BY entity, pk").compactMap { try editedRow($0.entity, $0.key) }
  }

  /// Where the rows are that a condition is true of, which may be followed by an order.
  func editedKeys(_ condition: String) throws -> [(entity: Int64, key: Int64)] {
    let statement = try statement("SELECT entity, pk FROM _roost_sync_row WHERE \(condition)")
    defer { statement.reset() }
    var keys: [(entity: Int64, key: Int64)] = []
    while try statement.step() { keys.append((statement.int64(0), statement.int64(1))) }
    return keys
  }

  /// The row there; nil for one of which the server has all.
  func editedRow(_ entity: Int64, _ key: Int64) throws -> EditedRow? {
    let statement = try statement(
      "SELECT turn, sequence, sent, pending FROM _roost_sync_row WHERE entity = ? AND pk = ?")
    defer { statement.reset() }
    statement.bind(entity, at: 1)
    statement.bind(key, at: 2)
    guard try statement.step() else { return nil }
    let sent = statement.isNull(2) ? nil : try statement.decoded(SyncEdit.self, 2)
    let pending = statement.isNull(3) ? nil : try statement.decoded(SyncEdit.self, 3)
    guard let row = sent?.row ?? pending?.row else { return nil }
    return EditedRow(
      entity: entity, key: key, turn: statement.isNull(0) ? nil : statement.int64(0),
      replica: SyncReplica(row: row, sequence: statement.int64(1), sent: sent, pending: pending))
  }

  /// Keeps what is to be sent of a row by now.
  func keep(_ row: EditedRow) throws {
    let statement = try statement(
      "UPDATE _roost_sync_row SET turn = ?3, sequence = ?4, sent = ?5, pending = ?6 WHERE entity = ?1 AND pk = ?2")
    statement.bind(row.entity, at: 1)
    statement.bind(row.key, at: 2)
    if let turn = row.turn, row.replica.pending != nil {
      statement.bind(turn, at: 3)
    } else {
      statement.bindNull(at: 3)
    }
    statement.bind(row.replica.sequence, at: 4)
    for (index, edit) in [(Int32(5), row.replica.sent), (6, row.replica.pending)] {
      if let edit { statement.bind(coded: edit, at: index) } else { statement.bindNull(at: index) }
    }
    try statement.run()
  }

  /// Has all that is on its way be still to be sent. `turn`: the transaction of history that it is said to be of.
  func takeBackSent(turn: Int64) throws {
    for var row in try sentRows() {
      row.replica.takeBack()
      row.turn = row.turn ?? turn
      try keep(row)
    }
  }
}
