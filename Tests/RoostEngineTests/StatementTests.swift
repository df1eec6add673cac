import RoostEngine
import Testing

@Suite struct StatementTests {
  let connection: Connection

  init() throws {
    connection = try .inMemory()
    try connection.execute("CREATE TABLE item(value)")
  }

  @Test func `A statement that nobody holds is used again, unbound`() throws {
    var first: Statement? = try connection.statement("SELECT ?")
    first?.bind(1, at: 1)
    _ = try first?.step()
    let identity = first.map(ObjectIdentifier.init)
    first = nil
    let second = try connection.statement("SELECT ?")
    #expect(ObjectIdentifier(second) == identity)
    #expect(try second.step())
    #expect(second.isNull(0))
  }

  @Test func `The same SQL used several times at once gets a statement each`() throws {
    func countdown(_ depth: Int64) throws -> [Int64] {
      guard depth > 0 else { return [] }
      let statement = try connection.statement("SELECT ? UNION ALL SELECT 0")
      statement.bind(depth, at: 1)
      var values: [Int64] = []
      while try statement.step() {
        values.append(statement.int64(0))
        if values.count == 1 { values += try countdown(depth - 1) }
      }
      return values
    }
    #expect(try countdown(3) == [3, 2, 1, 0, 0, 0])
    #expect(try countdown(3) == [3, 2, 1, 0, 0, 0])
  }

  @Test func `Statements are told apart whatever strings they are asked for with`() throws {
    // Long enough that the text has a place of its own, which the cache remembers.
    let texts = (0..<200).map { "SELECT \($0), 'a text of more than fifteen bytes'" }
    for round in 0..<3 {
      for (number, text) in texts.enumerated() {
        #expect(try connection.value(text) == .integer(Int64(number)))
        // An equal string in another place, which is freed at once.
        #expect(try connection.value(String(decoding: Array(text.utf8), as: UTF8.self)) == .integer(Int64(number)))
      }
      if round == 1 { connection.releaseMemory() }
    }
  }

  @Test func `Statements are told apart whose texts differ by how a character is written`() throws {
    for text in ["'\u{E9}'", "'e\u{301}'", "'\u{E9} in some longer text'", "'e\u{301} in some longer text'"] {
      let bytes = Int64(text.utf8.count - 2)
      #expect(try connection.value("SELECT length(CAST(\(text) AS BLOB))") == .integer(bytes))
    }
  }

  @Test(arguments: [
    "", "short", "fifteen bytes !", "sixteen bytes ok", "nul \0 in the midst of it", "Ünïcödé of some length",
  ])
  func `A text that is bound where it lies is what is stored`(_ text: String) throws {
    let statement = try connection.statement("INSERT INTO item VALUES (?)")
    let held = text + ""
    statement.bind(held: held, at: 1)
    try withExtendedLifetime(held) { try statement.run() }
    #expect(try connection.value("SELECT value FROM item") == .text(text))
    #expect(try connection.value("SELECT typeof(value) FROM item") == .text("text"))
    #expect(try connection.value("SELECT length(CAST(value AS BLOB)) FROM item") == .integer(Int64(text.utf8.count)))
  }

  @Test func `The key that an upsert finds is noted, and none where a row is new`() throws {
    try connection.execute("CREATE TABLE named(id INTEGER PRIMARY KEY, name TEXT UNIQUE, count INTEGER)")
    connection.addKeyNote()
    connection.addKeyNote()
    let upsert = try connection.statement(
      """
      INSERT INTO named VALUES (?, ?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1 \
      WHERE \(Connection.keyNote)(id)
      """)
    func run(_ id: Int, _ name: String) throws -> Int64? {
      connection.notedKey = nil
      upsert.bind(id, at: 1)
      upsert.bind(name, at: 2)
      try upsert.run()
      return connection.notedKey
    }
    #expect(try run(1, "a") == nil)
    #expect(try run(7, "b") == nil)
    #expect(try run(8, "b") == 7)
    #expect(try run(9, "a") == 1)
    #expect(try connection.values("SELECT count FROM named ORDER BY id") == [.integer(2), .integer(2)])
  }

  @Test func `More statements than the cache keeps all work`() throws {
    let held = try connection.statement("SELECT 'held' UNION ALL SELECT 'still'")
    #expect(try held.step())
    for number in 0..<1_500 {
      #expect(try connection.value("SELECT \(number)") == .integer(Int64(number)))
    }
    #expect(try held.step())
    #expect(held.string(0) == "still")
    connection.releaseMemory()
    #expect(try !held.step())
  }

  @Test func `SQL that is not one statement is refused`() {
    #expect(codeThrown { _ = try connection.statement("SELECT 1; SELECT 2") } == DatabaseError.misuse)
    #expect(codeThrown { _ = try connection.statement(" -- nothing") } == DatabaseError.misuse)
    #expect(codeThrown { _ = try connection.statement("SELECT 1\0; SELECT 2") } == DatabaseError.misuse)
    #expect(codeThrown { try connection.execute("DELETE FROM item\0 WHERE value = 1") } == DatabaseError.misuse)
    #expect(codeThrown { _ = try connection.statement("SELECT 1; -- and no more") } == nil)
  }

  @Test func `Several statements run up to the one that fails`() throws {
    let script = "INSERT INTO item VALUES (1); ; INSERT INTO none VALUES (2); INSERT INTO item VALUES (3);"
    let error = #expect(throws: DatabaseError.self) { try connection.execute(script) }
    #expect(error?.message == "no such table: none")
    #expect(try connection.values("SELECT value FROM item") == [.integer(1)])
  }

  @Test func `A statement describes itself`() throws {
    let select = try connection.statement("SELECT value AS worth, 1 FROM item WHERE value = ?")
    #expect(select.columnCount == 2)
    #expect(select.columnName(0) == "worth")
    #expect(select.columnName(7) == "")
    #expect(select.parameterCount == 1)
    #expect(select.isReadOnly)
    #expect(try !connection.statement("DELETE FROM item").isReadOnly)
  }

  @Test func `A statement survives a change of the schema`() throws {
    let statement = try connection.statement("SELECT * FROM item")
    #expect(try !statement.step())
    try connection.execute("ALTER TABLE item ADD COLUMN other DEFAULT 2; INSERT INTO item(value) VALUES (1)")
    #expect(try statement.step())
    #expect(statement.columnCount == 2)
    #expect(statement.int64(1) == 2)
  }

  @Test func `Statements and changes are counted`() throws {
    let before = connection.statementsRun
    try connection.insert([1, 2, 3])
    #expect(connection.statementsRun == before + 5)
    try connection.execute("UPDATE item SET value = 0")
    #expect(connection.changes == 3)
    #expect(connection.totalChanges == 6)
    #expect(connection.lastInsertRowID == 3)
  }

  @Test func `After closing everything throws or is empty`() throws {
    try connection.insert([1, 2])
    let statement = try connection.statement("SELECT value FROM item")
    #expect(try statement.step())
    connection.close()
    connection.close()
    #expect(connection.isClosed)
    #expect(codeThrown { _ = try statement.step() } == DatabaseError.misuse)
    #expect(statement.value(0) == .null)
    #expect(statement.columnName(0) == "")
    statement.bind("text", at: 1)
    statement.reset()
    #expect(codeThrown { try statement.run() } == DatabaseError.misuse)
    #expect(codeThrown { _ = try connection.statement("SELECT value FROM item") } == DatabaseError.misuse)
    #expect(codeThrown { try connection.execute("SELECT 1") } == DatabaseError.misuse)
    #expect(codeThrown { try connection.begin() } == DatabaseError.misuse)
    #expect(codeThrown { try connection.checkpoint(.passive) } == DatabaseError.misuse)
    #expect(connection.changes == 0 && !connection.isInTransaction)
    connection.rollback()
    connection.interruptHandle.interrupt()
  }

  @Test func `A statement outlives its connection without harm`() throws {
    var other: Connection? = try .inMemory()
    let statement = try #require(try other?.statement("SELECT 1"))
    other = nil
    #expect(codeThrown { _ = try statement.step() } == DatabaseError.misuse)
  }
}
