import RoostEngine
import Testing

@Suite struct PoolCheckoutTests {
  let file: TemporaryFile
  let pool: Pool

  init() throws {
    file = try TemporaryFile()
    pool = try Pool(file.options, maximumReaders: 1)
    try pool.write { try $0.execute("CREATE TABLE item(value)") }
  }

  @Test func `A connection that is checked out may have temporary tables and blocks nobody`() throws {
    let lent = try (0..<3).map { _ in try pool.checkout() }
    for connection in lent {
      try connection.execute("CREATE TEMP TABLE chosen(value); INSERT INTO chosen VALUES (1)")
    }
    try pool.read { reader in
      try reader.execute("SELECT value FROM item")
    }
    for connection in lent {
      #expect(try connection.value("SELECT value FROM chosen") == .integer(1))
      pool.checkin(connection)
      #expect(connection.isClosed)
    }
  }

  @Test func `A connection that is checked in serves readers again`() throws {
    let connection = try pool.checkout()
    pool.checkin(connection)
    pool.checkin(connection)
    try pool.read { reader in
      #expect(reader === connection)
      #expect(codeThrown { try reader.insert([1]) } == DatabaseError.readOnly)
    }
    #expect(pool.readerCount == 1)
  }

  @Test func `A connection that is checked in is prepared as those that only read`() throws {
    let pool = try Pool(file.options, prepareReader: { try $0.execute("CREATE TEMP VIEW chosen AS SELECT 5 AS value") })
    pool.checkin(try pool.checkout())
    #expect(try pool.read { try $0.value("SELECT value FROM chosen") } == .integer(5))
    #expect(pool.readerCount == 1)
  }

  @Test func `A connection of another pool is left alone`() throws {
    let other = try Pool(file.options)
    let connection = try other.checkout()
    pool.checkin(connection)
    #expect(!connection.isClosed)
    other.checkin(connection)
  }
}
