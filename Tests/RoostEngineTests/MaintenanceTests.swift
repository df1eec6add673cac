import Foundation
import RoostEngine
import Testing

@Suite struct MaintenanceTests {
  let file: TemporaryFile

  struct Refusal: Error {}

  init() throws {
    file = try TemporaryFile()
    try file.fill(rows: 5_000)
  }

  @Test func `A backup is a whole copy, reported step by step`() throws {
    let copy = try TemporaryFile()
    let source = try Connection(file.options)
    let destination = try Connection(copy.options)
    var steps: [(remaining: Int, total: Int)] = []
    try source.backup(to: destination, pagesPerStep: 3) { steps.append(($0, $1)) }
    #expect(steps.count > 3)
    #expect(steps.last?.remaining == 0)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.remaining > $1.remaining })
    #expect(try destination.value("SELECT count(*) FROM item") == .integer(5_000))
    #expect(try destination.integrityCheck() == [])
    #expect(!source.isInTransaction)
  }

  @Test func `A backup is of one moment, whatever others write`() throws {
    let source = try Connection(file.options)
    let other = try Connection(file.options)
    let copy = try TemporaryFile()
    let destination = try Connection(copy.options)
    try source.backup(to: destination, pagesPerStep: 3) { _, _ in try other.insert([0]) }
    #expect(try destination.value("SELECT count(*) FROM item") == .integer(5_000))
    #expect(try other.value("SELECT count(*) > 5000 FROM item") == .integer(1))
  }

  @Test func `A backup into memory works from memory, and is refused from a file with a log`() throws {
    let destination = try Connection.inMemory()
    let source = try Connection.inMemory()
    try source.execute("CREATE TABLE item(value); INSERT INTO item VALUES (1)")
    try source.backup(to: destination)
    let file = try Connection(file.options)
    #expect(codeThrown { try file.backup(to: destination) } == DatabaseError.misuse)
    #expect(try destination.values("SELECT value FROM item") == [.integer(1)])
  }

  @Test func `A backup that is given up leaves the destination as it was`() throws {
    let source = try Connection(file.options)
    let copy = try TemporaryFile()
    try copy.fill(rows: 3)
    let destination = try Connection(copy.options)
    #expect(throws: Refusal.self) {
      try source.backup(to: destination, pagesPerStep: 1) { remaining, total in
        if remaining < total / 2 { throw Refusal() }
      }
    }
    #expect(try destination.value("SELECT count(*) FROM item") == .integer(3))
    #expect(!source.isInTransaction)
  }

  @Test func `A backup onto a database in use is refused`() throws {
    let source = try Connection(file.options)
    let copy = try TemporaryFile()
    let destination = try Connection(copy.options)
    try destination.begin()
    #expect(throws: DatabaseError.self) { try source.backup(to: destination) }
    destination.close()
    #expect(codeThrown { try source.backup(to: destination) } == DatabaseError.misuse)
  }

  @Test func `A checkpoint moves the log into the file`() throws {
    let connection = try Connection(file.options)
    try connection.insert(1...100)
    let log = URL(fileURLWithPath: file.path + "-wal")
    #expect(try !Data(contentsOf: log).isEmpty)
    try connection.checkpoint(.truncate)
    #expect(try Data(contentsOf: log).isEmpty)
  }

  @Test func `A checkpoint that must wait for a reader says so`() throws {
    var options = file.options
    options.busyTimeout = .zero
    let connection = try Connection(options)
    let reader = try Connection(options)
    try reader.begin(.deferred)
    _ = try reader.value("SELECT count(*) FROM item")
    try connection.insert([1])
    #expect(codeThrown { try connection.checkpoint(.truncate) } == DatabaseError.busy)
    #expect(codeThrown { try connection.checkpoint(.passive) } == nil)
  }

  @Test func `Closing the last connection leaves the file alone`() throws {
    let connection = try Connection(file.options)
    let statement = try connection.statement("SELECT value FROM item")
    #expect(try statement.step())
    try connection.execute("CREATE TABLE other(value)")
    connection.close()
    #expect(try file.names() == ["store.sqlite"])
  }

  @Test func `A file gets no log where none is wanted, keeps the one it has, and can be freed of it`() throws {
    var options = file.options
    options.makesWriteAheadLog = false
    let connection = try Connection(options)
    try connection.insert([1])
    #expect(try file.names().contains("store.sqlite-wal"))
    try connection.endWriteAheadLog()
    #expect(try file.names() == ["store.sqlite"])
    let other = try Connection(options)
    try other.insert([2])
    #expect(try file.names() == ["store.sqlite"])
    options = file.options
    options.busyTimeout = .zero
    let third = try Connection(options)
    try other.insert([3])
    #expect(codeThrown { try third.endWriteAheadLog() } == DatabaseError.busy)
  }

  @Test func `Sizes and broken references are counted`() throws {
    var options = file.options
    options.foreignKeys = false
    let connection = try Connection(options)
    #expect(try connection.brokenReferences() == 0)
    try connection.execute(
      "CREATE TABLE whole(id INTEGER PRIMARY KEY); CREATE TABLE part(whole REFERENCES whole); "
        + "INSERT INTO whole VALUES (1); INSERT INTO part VALUES (1), (2), (3)")
    #expect(try connection.brokenReferences() == 2)
    #expect(try connection.size() % connection.pageSize() == 0)
    let size = try connection.size()
    try connection.insert(1...2_000)
    #expect(try connection.size() > size)
  }

  @Test func `The integrity check finds damage`() throws {
    let connection = try Connection(file.options)
    #expect(try connection.integrityCheck() == [])
    connection.close()
    let url = URL(fileURLWithPath: file.path)
    var content = try Data(contentsOf: url)
    content.replaceSubrange(8_192..<12_000, with: Data(repeating: 0xff, count: 12_000 - 8_192))
    try content.write(to: url)
    let damaged = try Connection(file.options)
    #expect(try !damaged.integrityCheck().isEmpty)
    #expect(codeThrown { _ = try damaged.values("SELECT value FROM item") } == DatabaseError.corrupt)
  }
}
