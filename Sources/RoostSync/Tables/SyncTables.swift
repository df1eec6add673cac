import Foundation
import RoostEngine

/// What a synced file has beside its models.
///
/// `_roost_sync_row` knows each row by the identity that it has on all devices, and has what of it the server has yet
/// to hear: `sent` is on its way, `pending` came after that. `turn` is the transaction of history that made the first
/// of `pending`, by which edits are sent in order; `KnownRow.whenShown` for one that waits until its row is shown; NULL
/// beside a `pending` one that is set aside, as it is larger than the server takes at once, or refers to a new row of
/// which that is so. `seen` are its lists, and its positions in lists, as they were last noted. The key of a row that
/// is gone is negative, whoever deleted it: others may still refer to it. `_roost_sync_inbox` has the server's rows
/// that are not shown yet; `is_unknown` are those that only a later program can show. `_roost_sync_overwritten` has
/// what saves have written over that their contexts did not know, until that is noted. `_roost_sync_conflict` is the
/// journal; a conflict's body begins with the row and field that it is about.
package enum SyncTables {
  /// What there is: its name, what it is, and the rest of what makes it.
  private static let definitions = [
    (
      "_roost_sync_row", "TABLE",
      """
      (
        entity INTEGER NOT NULL, pk INTEGER NOT NULL, site INTEGER NOT NULL, key INTEGER NOT NULL,
        sequence INTEGER NOT NULL, turn INTEGER, sent BLOB, pending BLOB, seen BLOB,
        PRIMARY KEY (entity, pk)) STRICT, WITHOUT ROWID
      """
    ),
    ("_roost_sync_row_identity", "UNIQUE INDEX", "ON _roost_sync_row (entity, site, key)"),
    ("_roost_sync_row_turn", "INDEX", "ON _roost_sync_row (turn) WHERE turn IS NOT NULL AND pk >= 0"),
    ("_roost_sync_row_gone", "INDEX", "ON _roost_sync_row (entity, turn) WHERE turn IS NOT NULL AND pk < 0"),
    ("_roost_sync_row_sent", "INDEX", "ON _roost_sync_row (entity, pk) WHERE sent IS NOT NULL"),
    ("_roost_sync_row_large", "INDEX", "ON _roost_sync_row (entity, pk) WHERE pending IS NOT NULL AND turn IS NULL"),
    (
      "_roost_sync_inbox", "TABLE",
      """
      (
        entity INTEGER NOT NULL, site INTEGER NOT NULL, key INTEGER NOT NULL, sequence INTEGER NOT NULL,
        taken INTEGER NOT NULL, body BLOB NOT NULL, is_unknown INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (entity, site, key)) STRICT
      """
    ),
    ("_roost_sync_inbox_order", "INDEX", "ON _roost_sync_inbox (sequence)"),
    (
      "_roost_sync_overwritten", "TABLE",
      """
      (
        name TEXT NOT NULL, pk INTEGER NOT NULL, property TEXT NOT NULL, ancestor ANY,
        PRIMARY KEY (name, pk, property)) STRICT, WITHOUT ROWID
      """
    ),
    (
      "_roost_sync_conflict", "TABLE",
      """
      (
        -- None is given twice: a program may hold an entry that is gone.
        id INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, body BLOB NOT NULL,
        is_resolved INTEGER NOT NULL DEFAULT 0) STRICT
      """
    ),
    ("_roost_sync_conflict_body", "INDEX", "ON _roost_sync_conflict (substr(body, 1, 32))"),
    ("_roost_sync_conflict_age", "INDEX", "ON _roost_sync_conflict (is_resolved DESC)"),
    ("_roost_sync_state", "TABLE", "(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID"),
  ]

  /// Makes what is not there.
  static func create(_ connection: Connection) throws {
    for (name, kind, rest) in definitions { try connection.execute("CREATE \(kind) IF NOT EXISTS \(name) \(rest)") }
  }

  /// Whether all are there.
  static func areThere(_ connection: Connection) throws -> Bool {
    Set(definitions.map(\.0)).isSubset(of: try connection.strings("SELECT name FROM sqlite_schema"))
  }
}
