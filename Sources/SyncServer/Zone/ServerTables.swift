package import RoostEngine

/// What a server keeps: all zones in one file, each key of which begins with the zone.
///
/// Numbers of sites and marks are unsigned, and in their columns as the signed ones of the same bits. `record` has each
/// row once, by its identity and by its place in the zone's order. `ref` has which rows refer to which, deleted ones
/// too, and `claim` which row has unique values. `push` has each site's last one, and `place` where the last pushes
/// ended: `turn` counts a zone's pushes. `member` is for zones of several users.
package enum ServerTables {
  /// The version of these tables.
  private static let version: Int64 = 2

  package static func create(_ connection: Connection) throws {
    try connection.transaction {
      let found = try Int64(connection.strings("PRAGMA user_version").first ?? "") ?? 0
      if found == version { return }
      guard found == 0 else { throw SyncServerError.otherVersion(found) }
      try connection.execute(tables)
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }

  private static let tables = """
    CREATE TABLE zone (
      id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, head INTEGER NOT NULL DEFAULT 0,
      mark INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0, registry BLOB, UNIQUE (owner, name)) STRICT;
    CREATE TABLE member (
      zone INTEGER NOT NULL REFERENCES zone, user TEXT NOT NULL, role TEXT NOT NULL,
      PRIMARY KEY (zone, user)) STRICT, WITHOUT ROWID;
    CREATE TABLE record (
      zone INTEGER NOT NULL, entity INTEGER NOT NULL, site INTEGER NOT NULL, key INTEGER NOT NULL,
      sequence INTEGER NOT NULL, is_deleted INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (zone, entity, site, key)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX record_order ON record (zone, sequence);
    CREATE TABLE ref (
      zone INTEGER NOT NULL, target_entity INTEGER NOT NULL, target_site INTEGER NOT NULL, target_key INTEGER NOT NULL,
      entity INTEGER NOT NULL, site INTEGER NOT NULL, key INTEGER NOT NULL,
      PRIMARY KEY (zone, target_entity, target_site, target_key, entity, site, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE claim (
      zone INTEGER NOT NULL, claim BLOB NOT NULL, entity INTEGER NOT NULL, site INTEGER NOT NULL, key INTEGER NOT NULL,
      PRIMARY KEY (zone, claim)) STRICT, WITHOUT ROWID;
    CREATE TABLE push (
      zone INTEGER NOT NULL, site INTEGER NOT NULL, number INTEGER NOT NULL, identity INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (zone, site)) STRICT, WITHOUT ROWID;
    CREATE TABLE place (
      zone INTEGER NOT NULL, sequence INTEGER NOT NULL, mark INTEGER NOT NULL, turn INTEGER NOT NULL,
      PRIMARY KEY (zone, sequence)) STRICT, WITHOUT ROWID;
    """
}

/// Why a server's data cannot be used.
package enum SyncServerError: Error, Hashable, Sendable {
  /// Another version of the server made it.
  case otherVersion(Int64)
  /// What is in its file is not what was written.
  case damaged(String)
  /// Another server uses the folder.
  case inUse(folder: String)
}

extension SyncServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .otherVersion(let version):
      "The server's data is of version \(version), which this program does not know. Run the program that made it, or a later one."
    case .inUse(let folder):
      "Another server uses \(folder), and there is one at a time. End that one, or give this one a folder of its own."
    case .damaged(let what): "The server's data is damaged: \(what). Put a backup back."
    }
  }
}
