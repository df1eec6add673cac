import RoostEngine
import Testing

@Suite struct TransactionTests {
  let connection: Connection

  struct Refusal: Error {}

  init() throws {
    connection = try .inMemory()
    try connection.execute(
      """
      CREATE TABLE item(value UNIQUE);
      CREATE TABLE part(item REFERENCES item(value) DEFERRABLE INITIALLY DEFERRED)
      """)
  }

  private func items() throws -> [DatabaseValue] { try connection.values("SELECT value FROM item ORDER BY 1") }

  @Test func `A transaction returns its result and commits`() throws {
    let result = try connection.transaction {
      #expect(connection.isInTransaction)
      try connection.insert([1, 2])
      return "done"
    }
    #expect(result == "done")
    #expect(!connection.isInTransaction)
    #expect(try items() == [.integer(1), .integer(2)])
  }

  @Test(arguments: [TransactionKind.immediate, .deferred])
  func `A transaction that throws leaves nothing`(kind: TransactionKind) throws {
    #expect(throws: Refusal.self) {
      try connection.transaction(kind) {
        try connection.insert([1])
        throw Refusal()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try items() == [])
  }

  @Test func `A transaction writes from its first change on, and one that is to write from its beginning`() throws {
    #expect(!connection.isWriting)
    try connection.transaction(.deferred) {
      #expect(try items() == [] && !connection.isWriting)
      try connection.insert([1])
      #expect(connection.isWriting)
    }
    try connection.transaction(.immediate) { #expect(connection.isWriting) }
    #expect(!connection.isWriting)
  }

  @Test func `A commit that fails leaves nothing`() throws {
    let code = codeThrown {
      try connection.transaction {
        try connection.insert([1])
        try connection.execute("INSERT INTO part VALUES (99)")
      }
    }
    #expect(code == DatabaseError.constraintForeignKey)
    #expect(!connection.isInTransaction)
    #expect(try items() == [])
  }

  @Test func `A transaction within a transaction is refused, and the outer one goes on`() throws {
    try connection.transaction {
      #expect(codeThrown { try connection.begin() } == DatabaseError.error)
      try connection.insert([1])
    }
    #expect(try items() == [.integer(1)])
  }

  @Test func `Rolling back without a transaction does nothing`() throws {
    connection.rollback()
    try connection.insert([1])
    connection.rollback()
    #expect(try items() == [.integer(1)])
  }

  @Test func `Rolling back works in the middle of a statement's rows`() throws {
    try connection.begin()
    try connection.insert([1, 2])
    let statement = try connection.statement("SELECT value FROM item")
    #expect(try statement.step())
    connection.rollback()
    #expect(!connection.isInTransaction)
    #expect(try items() == [])
  }

  @Test func `After SQLite rolled back by itself nothing more is written`() throws {
    let code = codeThrown {
      try connection.transaction {
        try connection.insert([1])
        try? connection.execute("INSERT OR ROLLBACK INTO item VALUES (1)")
        #expect(!connection.isInTransaction)
        try connection.insert([2])
      }
    }
    #expect(code == DatabaseError.abortRollback)
    try connection.insert([3])
    #expect(try items() == [.integer(3)])
  }

  @Test func `Nested savepoints undo what is within them, and no more`() throws {
    try connection.transaction {
      try connection.insert([1])
      try connection.savepoint {
        try connection.insert([2])
        #expect(throws: Refusal.self) {
          try connection.savepoint {
            try connection.insert([3])
            try connection.savepoint { try connection.insert([4]) }
            throw Refusal()
          }
        }
        try connection.savepoint { try connection.insert([5]) }
      }
    }
    #expect(try items() == [.integer(1), .integer(2), .integer(5)])
  }

  @Test func `A savepoint alone is a transaction`() throws {
    #expect(throws: Refusal.self) {
      try connection.savepoint {
        try connection.insert([1])
        #expect(connection.isInTransaction)
        throw Refusal()
      }
    }
    try connection.savepoint { try connection.insert([2]) }
    let code = codeThrown { try connection.savepoint { try connection.execute("INSERT INTO part VALUES (99)") } }
    #expect(code == DatabaseError.constraintForeignKey)
    #expect(!connection.isInTransaction)
    #expect(try items() == [.integer(2)])
  }

  @Test func `A failed statement does not end the transaction`() throws {
    try connection.transaction {
      try connection.insert([1])
      #expect(codeThrown { try connection.insert([2, 1]) } == DatabaseError.constraintUnique)
      try connection.insert([3])
    }
    #expect(try items() == [.integer(1), .integer(3)])
  }
}
