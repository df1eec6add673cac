import Foundation
import RoostEngine
import Testing

@Suite struct ValueTests {
  let connection: Connection

  init() throws {
    connection = try .inMemory()
  }

  static let values: [DatabaseValue] = [
    .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-0.0), .real(.infinity),
    .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .text(""), .text("a\0b\0"),
    .text("🐦‍⬛ Ærø é e\u{301}"),
    .text(String(repeating: "long ", count: 10_000)), .blob([]), .blob([0]), .blob([0xff, 0, 0x80]),
    .blob(Array(repeating: 7, count: 100_000)),
  ]

  @Test(arguments: values)
  func `A value comes back as it was`(value: DatabaseValue) throws {
    #expect(try connection.value("SELECT ?", value) == value)
  }

  @Test func `NaN is stored as NULL`() throws {
    #expect(try connection.value("SELECT ?", .real(.nan)) == .null)
  }

  @Test func `Each kind of access reads its own kind`() throws {
    let statement = try connection.statement("SELECT ?, ?, ?, ?, ?")
    statement.bind(-7, at: 1)
    statement.bind(2.5, at: 2)
    statement.bind("Amsel\0", at: 3)
    statement.bind(Data([1, 0, 2]), at: 4)
    statement.bindNull(at: 5)
    #expect(try statement.step())
    #expect((0..<5).map { statement.columnType($0) } == [.integer, .real, .text, .blob, .null])
    #expect(statement.int64(0) == -7)
    #expect(statement.double(1) == 2.5)
    #expect(statement.string(2) == "Amsel\0")
    #expect(statement.withText(2) { $0.count } == 6)
    #expect(statement.data(3) == Data([1, 0, 2]))
    #expect(statement.withBlob(3) { Array($0) } == [1, 0, 2])
    #expect(statement.isNull(4) && !statement.isNull(0))
  }

  @Test func `NULL, and what is outside the row, reads as nothing`() throws {
    let statement = try connection.statement("SELECT NULL")
    #expect(try statement.step())
    for column in [Int32(0), 1, -1, .max] {
      #expect(statement.isNull(column))
      #expect(statement.int64(column) == 0)
      #expect(statement.double(column) == 0)
      #expect(statement.string(column) == "")
      #expect(statement.data(column).isEmpty)
      #expect(statement.value(column) == .null)
    }
  }

  @Test func `Text that is not UTF-8 is repaired`() throws {
    #expect(try connection.value("SELECT CAST(x'61ff62' AS TEXT)") == .text("a\u{fffd}b"))
  }

  @Test func `A slice of data is bound with its own bytes`() throws {
    let statement = try connection.statement("SELECT ?")
    statement.bind(Data([1, 2, 3, 4])[1...2], at: 1)
    #expect(try statement.step())
    #expect(statement.data(0) == Data([2, 3]))
  }

  @Test func `A failure to bind is thrown by the next step, once`() throws {
    let statement = try connection.statement("SELECT ?")
    statement.bind(1, at: 2)
    statement.bind("fine", at: 1)
    #expect(codeThrown { _ = try statement.step() } == DatabaseError.range)
    #expect(try statement.step())
    #expect(statement.string(0) == "fine")
  }

  @Test func `Binding in the middle of the rows is a failure`() throws {
    let statement = try connection.statement("SELECT ? UNION ALL SELECT 2")
    #expect(try statement.step())
    statement.bind(1, at: 1)
    statement.reset()
    #expect(codeThrown { _ = try statement.step() } == DatabaseError.misuse)
  }

  @Test func `An error carries the values only if asked`() throws {
    for reportsArguments in [false, true] {
      var options = ConnectionOptions.inMemory
      options.reportsArguments = reportsArguments
      let connection = try Connection(options)
      try connection.execute("CREATE TABLE item(a UNIQUE, b); INSERT INTO item VALUES ('it''s', NULL)")
      let statement = try connection.statement("INSERT INTO item VALUES (?, ?)")
      statement.bind("it's", at: 1)
      let error = #expect(throws: DatabaseError.self) { try statement.run() }
      #expect(error?.code == DatabaseError.constraintUnique)
      #expect(error?.primaryCode == DatabaseError.constraint)
      #expect(error?.message == "UNIQUE constraint failed: item.a")
      #expect(error?.sql == "INSERT INTO item VALUES (?, ?)")
      #expect(error?.arguments == (reportsArguments ? [.text("it's"), .null] : nil))
      #expect(error?.description.contains("it''s") == reportsArguments)
    }
  }
}
