import EncryptionSupport
import Foundation
import RoostEngine
import Testing

/// What a connection tells of the rows that it changes.
@Suite(.rowsTold) struct RowChangeLogTests {
  private let connection: Connection
  private let log = RowChangeLog()

  init() throws {
    connection = try Connection(ConnectionOptions(location: .memory(name: UUID().uuidString)))
    try connection.execute(
      """
      PRAGMA foreign_keys=1;
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT UNIQUE, stars REAL, owner INTEGER REFERENCES note ON DELETE SET NULL);
      CREATE TABLE link (a INTEGER, b INTEGER, p REAL, q REAL, PRIMARY KEY (a, b)) WITHOUT ROWID;
      CREATE TABLE other (id INTEGER PRIMARY KEY);
      """)
    log.tables = [
      .init("note", columns: (1...3).map { .init(position: $0) }, kept: [0]),
      .init("link", columns: [], link: .init(keys: (0, 1), places: (2, 3))),
    ]
    try #require(try connection.log(log), "SQLite was built without sqlite3_preupdate_hook")
    log.isLogging = true
  }

  /// The entries as words: the table, what happened, keys, columns and former values.
  private func told(_ sql: String) -> [String] {
    told { try connection.execute(sql) }
  }

  private func told(_ body: () throws -> Void) -> [String] {
    log.removeAll()
    try? body()
    return log.entries.enumerated().map { place, entry in
      let table = log.tables[Int(entry.table)]
      if table.link != nil { return "\(table.name) \(entry.kind) \(entry.key)-\(entry.columns)" }
      let end = place + 1 < log.entries.count ? log.entries[place + 1].start : log.bytes.count
      var reader = RowValueReader(Array(log.bytes[entry.start..<end]))
      var values: [String] = []
      while !reader.isAtEnd, let value = reader.value() { values.append("\(value)") }
      let keys = entry.count == 1 ? "\(entry.key)" : "\(entry.key)...\(entry.key + entry.count - 1)"
      return ["\(table.name) \(entry.kind) \(keys)", entry.columns == 0 ? "" : "columns \(entry.columns)"]
        .filter { !$0.isEmpty }.joined(separator: " ") + (values.isEmpty ? "" : " was " + values.joined(separator: ","))
    }
  }

  @Test func `rows beside each other are one entry`() {
    #expect(
      told("INSERT INTO note VALUES (1, 'a', 1, NULL), (2, 'b', 2, NULL), (4, 'c', 3, 1)") == [
        "note inserted 1...2", "note inserted 4",
      ])
    #expect(
      told("INSERT INTO note VALUES (5, 'd', 1, NULL); INSERT INTO note VALUES (6, 'e', 1, NULL)") == [
        "note inserted 5...6"
      ])
    #expect(
      told("UPDATE note SET stars = stars + 1") == [
        "note updated 1...2 columns 2 was 1.0,2.0", "note updated 4...6 columns 2 was 3.0,1.0,1.0",
      ])
    #expect(told("DELETE FROM note WHERE id > 4") == ["note deleted 5...6 columns 1 was 'd','e'"])
  }

  @Test func `only columns that differ count as updated`() {
    _ = told("INSERT INTO note VALUES (1, 'a', 1, NULL)")
    #expect(told("UPDATE note SET title = 'a', stars = 1, owner = NULL").isEmpty)
    #expect(told("UPDATE note SET title = 'b', stars = 1") == ["note updated 1 columns 1 was 'a'"])
    #expect(told("UPDATE note SET title = x'62'") == ["note updated 1 columns 1 was 'b'"])
    #expect(told("UPDATE note SET title = NULL, owner = 1") == ["note updated 1 columns 5 was x'62',NULL"])
    #expect(told("UPDATE note SET id = 7, owner = NULL") == ["note deleted 1 columns 1 was NULL", "note inserted 7"])
  }

  @Test func `what foreign keys and conflicts do to other rows is told`() {
    _ = told("INSERT INTO note VALUES (1, 'a', 1, NULL), (2, 'b', 1, 1)")
    #expect(
      Set(told("DELETE FROM note WHERE id = 1")) == [
        "note updated 2 columns 4 was 1", "note deleted 1 columns 1 was 'a'",
      ])
    #expect(
      Set(told("INSERT OR REPLACE INTO note VALUES (3, 'b', 1, NULL)")) == [
        "note deleted 2 columns 1 was 'b'", "note inserted 3",
      ])
    #expect(
      told("INSERT INTO note VALUES (9, 'b', 5, NULL) ON CONFLICT (title) DO UPDATE SET stars = excluded.stars") == [
        "note updated 3 columns 2 was 1.0"
      ])
    #expect(told("DELETE FROM note") == ["note deleted 3 columns 1 was 'b'"])
  }

  @Test func `links have the keys of both sides`() {
    #expect(
      told("INSERT INTO link (a, b) VALUES (1, 2), (2, 3); DELETE FROM link WHERE a = 1") == [
        "link inserted 1-2", "link inserted 2-3", "link deleted 1-2",
      ])
    #expect(
      told("UPDATE link SET p = 1; UPDATE link SET p = 1, q = 2; UPDATE link SET q = 2") == [
        "link updated 2-3", "link updated 2-3",
      ])
    #expect(log.entries.map(\.count) == [1, 2])
    #expect(told("UPDATE link SET b = 4") == ["link deleted 2-3", "link inserted 2-4"])
  }

  @Test func `a statement that fails takes back what it did, and one that keeps it does not`() {
    _ = told("INSERT INTO note VALUES (1, 'a', 1, NULL)")
    #expect(
      told("INSERT INTO note VALUES (2, 'b', 1, NULL); INSERT INTO note VALUES (3, 'c', 1, NULL), (4, 'a', 1, NULL)")
        == [
          "note inserted 2"
        ])
    #expect(told("UPDATE note SET title = 'same'").isEmpty)
    #expect(
      told("INSERT OR FAIL INTO note VALUES (3, 'c', 1, NULL), (4, 'a', 1, NULL), (5, 'd', 1, NULL)") == [
        "note inserted 3"
      ])
    #expect(told("INSERT OR IGNORE INTO note VALUES (6, 'a', 1, NULL), (7, 'e', 1, NULL)") == ["note inserted 7"])
  }

  @Test func `an update that tells of its row itself is told as SQLite tells it, and what it fails to do is not`()
    throws
  {
    connection.addUpdateNote()
    _ = told("INSERT INTO note VALUES (1, 'a', 1, NULL), (2, 'b', 1, NULL)")
    log.updated = 3
    func tell(_ title: DatabaseValue, _ stars: Double, _ key: Int64) throws -> [String] {
      told {
        let statement = try connection.statement(
          "UPDATE note SET title = ?, stars = ? WHERE id = ? AND roost_note_update(id, title, ?1, stars, ?2)")
        statement.bind(title, at: 1)
        statement.bind(.real(stars), at: 2)
        statement.bind(key, at: 3)
        try connection.runUntold(statement)
      }
    }
    #expect(try tell(.text("a"), 1, 1).isEmpty)
    #expect(try tell(.text("a"), 2, 1) == ["note updated 1 columns 2 was 1.0"])
    #expect(try tell(.null, 3, 1) == ["note updated 1 columns 3 was 'a',2.0"])
    #expect(try tell(.text("c"), 3, 5).isEmpty)
    #expect(try tell(.text("b"), 3, 1).isEmpty, "The title is another row's.")
    log.updated = .max
    #expect(told("UPDATE note SET stars = 9 WHERE id = 2") == ["note updated 2 columns 2 was 1.0"])
  }

  @Test func `a savepoint that is undone takes back what was done in it`() throws {
    log.removeAll()
    try connection.transaction {
      try connection.execute("INSERT INTO note VALUES (1, 'a', 1, NULL)")
      try? connection.savepoint {
        try connection.execute("INSERT INTO note VALUES (2, 'b', 1, NULL); INSERT INTO link (a, b) VALUES (1, 2)")
        throw DatabaseError(code: 1, message: "undone")
      }
    }
    #expect(log.entries.map(\.key) == [1] && log.entries.map(\.count) == [1])
  }

  @Test func `a row that is older than a column has the column's default`() throws {
    _ = told("INSERT INTO note VALUES (1, 'a', 1, NULL)")
    try connection.execute("ALTER TABLE note ADD COLUMN size INTEGER NOT NULL DEFAULT 7")
    var missing: [UInt8] = []
    RowValues.append(.integer(7), to: &missing)
    log.tables[0].columns.append(.init(position: 4, missing: missing))
    #expect(told("UPDATE note SET stars = 2") == ["note updated 1 columns 2 was 1.0"])
    #expect(told("INSERT INTO note VALUES (2, 'b', 1, NULL, 7)").count == 1)
    try connection.execute("UPDATE note SET stars = 3")
    _ = told("INSERT INTO note (id, title) VALUES (3, 'c')")
    #expect(told("UPDATE note SET size = 8 WHERE id = 3") == ["note updated 3 columns 8 was 7"])
  }

  @Test func `former values beyond the limit are not kept, and rows are told all the same`() {
    _ = told("INSERT INTO note VALUES (1, 'a', 1, NULL), (2, 'b', 1, NULL)")
    log.largestSize = 1
    #expect(told("UPDATE note SET stars = 2") == ["note updated 1 columns 2 was 1.0", "note updated 2 columns 2"])
    #expect(told("DELETE FROM note") == ["note deleted 1...2 columns 1 was 'a','b'"])
  }

  @Test func `a table with more columns than a word has bits is told of as well`() throws {
    let names = (0..<70).map { "c\($0)" }
    try connection.execute("CREATE TABLE wide (id INTEGER PRIMARY KEY, \(names.joined(separator: ", ")))")
    log.tables = [.init("wide", columns: (1...70).map { .init(position: $0) })]
    _ = told("INSERT INTO wide (id, c69) VALUES (1, 5), (2, 6)")
    _ = told("UPDATE wide SET c0 = 1, c69 = 7")
    #expect(log.entries.map(\.key) == [1, 2] && log.entries.map(\.columns) == [1, 1])
    #expect(log.wide == [0: [1, 32], 1: [1, 32]])
  }

  @Test func `an update that tells of its row itself says nothing of columns that it was not given`() throws {
    let names = (0..<69).map { "c\($0)" }
    try connection.execute("CREATE TABLE wide (id INTEGER PRIMARY KEY, \(names.joined(separator: ", ")))")
    try connection.execute("INSERT INTO wide (id) VALUES (1)")
    try connection.execute("ALTER TABLE wide ADD COLUMN c69 INTEGER NOT NULL DEFAULT 7")
    var missing: [UInt8] = []
    RowValues.append(.integer(7), to: &missing)
    var columns: [RowChangeLog.Column] = (1...69).map { .init(position: $0) }
    columns.append(.init(position: 70, missing: missing))
    log.tables = [.init("wide", columns: columns)]
    connection.addUpdateNote()
    log.updated = 1
    let words = told {
      let statement = try connection.statement(
        "UPDATE wide SET c0 = 5 WHERE id = 1 AND roost_note_update(id, c0, 5)")
      try connection.runUntold(statement)
    }
    #expect(words == ["wide updated 1 columns 1 was NULL"] && log.wide.isEmpty)
  }

  @Test func `temporary tables, and others, are not told of`() throws {
    try connection.execute("CREATE TEMP TABLE note (id INTEGER PRIMARY KEY, title, stars, owner)")
    #expect(told("INSERT INTO temp.note (id) VALUES (1); INSERT INTO other VALUES (1)").isEmpty)
  }
}

/// Values in bytes.
@Suite struct RowValuesTests {
  @Test func `each value is read as it was written`() {
    let values: [DatabaseValue] = [
      .null, .integer(0), .integer(-1), .integer(.min), .integer(.max), .real(-0.0), .real(.infinity), .text(""),
      .text("Ab'ba \u{301}\u{0}"), .blob([]), .blob([0, 255]),
    ]
    var bytes: [UInt8] = []
    for value in values { RowValues.append(value, to: &bytes) }
    var reader = RowValueReader(bytes)
    for value in values { #expect(reader.value() == value) }
    #expect(reader.isAtEnd)
  }

  @Test func `bytes that end too soon, or are none of it, are no values`() {
    for bytes in [[], [1], [1, 0x80], [2, 0, 0], [3, 5, 65], [4, 0xff, 0xff, 0xff, 0xff, 0x0f], [9]] as [[UInt8]] {
      var reader = RowValueReader(bytes)
      #expect(reader.value() == nil)
    }
  }
}
