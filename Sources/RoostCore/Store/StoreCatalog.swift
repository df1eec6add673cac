package import RoostEngine

/// What a file says of itself: `_roost_meta` has facts about the store, `_roost_entity` has its models.
package struct StoreCatalog {
  /// A fact's name.
  package struct Key: Hashable, Sendable {
    let name: String

    package init(_ name: String) { self.name = name }

    /// The form of the file.
    package static let format = Key("format")
    /// What tells a store from others.
    package static let identifier = Key("identifier")
    /// What the files of an encrypted store's large values are encrypted with.
    static let fileKey = Key("file key")
    /// The number that the program gave the schema.
    package static let version = Key("version")
    /// What of changes is remembered, and for how long.
    static let history = Key("history")
    /// The number of the last transaction of history that was deleted.
    package static let historyFloor = Key("history floor")
    /// What the facts are called which say how far consumers of history have come.
    package static let historyConsumer = "history consumer "
    /// How far one has come.
    package static func consumer(_ name: String) -> Key { Key(historyConsumer + name) }
    /// The last key that a model's rows had which went with it.
    package static func lastKey(of model: String) -> Key { Key("last key \(model)") }
    /// The fingerprints of the schemas that the file had.
    static let formerSchemas = Key("former schemas")
  }

  package static let tables: Set<String> = ["_roost_meta", "_roost_entity"]

  /// Whether a database with these tables is another program's.
  package static func isOthers(_ tables: [String]) -> Bool { !tables.isEmpty && !tables.contains("_roost_entity") }

  /// What the header of a store's file says of who made it: "Roos".
  ///
  /// Source: [SQLite, PRAGMA application_id](https://www.sqlite.org/pragma.html#pragma_application_id).
  package static let applicationID: UInt32 = 0x526F_6F73

  private let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  package func create() throws {
    try connection.execute(
      """
      PRAGMA application_id=\(Self.applicationID);
      CREATE TABLE _roost_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE _roost_entity (
        name TEXT PRIMARY KEY, last_key INTEGER NOT NULL, definition TEXT NOT NULL
      ) STRICT;
      """)
  }

  // MARK: - Facts

  /// nil when the file does not say.
  package func value(_ key: Key) throws -> String? {
    let statement = try connection.statement("SELECT value FROM _roost_meta WHERE key = ?")
    defer { statement.reset() }
    statement.bind(key.name, at: 1)
    return try statement.step() ? statement.string(0) : nil
  }

  package func set(_ key: Key, _ value: String) throws {
    let statement = try connection.statement("INSERT OR REPLACE INTO _roost_meta (key, value) VALUES (?, ?)")
    statement.bind(key.name, at: 1)
    statement.bind(value, at: 2)
    try statement.run()
  }

  package func remove(_ key: Key) throws {
    let statement = try connection.statement("DELETE FROM _roost_meta WHERE key = ?")
    statement.bind(key.name, at: 1)
    try statement.run()
  }

  /// Writes what is there already, for a commit that must reach the disk though nothing changes.
  func touch() throws { try connection.execute("UPDATE _roost_meta SET value = value WHERE key = 'format'") }

  /// The names of facts that begin so, without that beginning.
  package func names(after prefix: String) throws -> [String] {
    let statement = try connection.statement("SELECT key FROM _roost_meta ORDER BY key")
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() {
      let name = statement.string(0)
      if name.hasPrefix(prefix) { names.append(String(name.dropFirst(prefix.count))) }
    }
    return names
  }
}
