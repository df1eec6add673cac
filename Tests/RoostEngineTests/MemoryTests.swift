import Foundation
import RoostEngine
import Testing

@Suite struct MemoryTests {
  @Test func `Connections of the same name share a database while one is open`() throws {
    let options = ConnectionOptions.inMemory
    let first = try Connection(options)
    let second = try Connection(options)
    try first.execute("CREATE TABLE item(value)")
    try first.insert([1])
    #expect(try second.values("SELECT value FROM item") == [.integer(1)])
    first.close()
    #expect(try second.values("SELECT value FROM item") == [.integer(1)])
    second.close()
    #expect(try Connection(options).values("SELECT name FROM sqlite_schema") == [])
  }

  @Test(arguments: ["a?b", "a%62", "a/b", "a_b", "a\0b", "ab", "ä", ""])
  func `Each name is its own database`(name: String) throws {
    let prefix = UUID().uuidString
    let connection = try Connection(ConnectionOptions(location: .memory(name: prefix + name)))
    try connection.execute("CREATE TABLE item(value)")
    for other in ["a", "a_62_b", "a_b_", "file"] {
      let connection = try Connection(ConnectionOptions(location: .memory(name: prefix + other)))
      #expect(try connection.values("SELECT name FROM sqlite_schema") == [])
    }
  }

  @Test func `A pool in memory reads and writes from many threads`() throws {
    let pool = try Pool(.inMemory)
    try pool.write { try $0.execute("CREATE TABLE item(value)") }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<25 {
        try? pool.write { writer in try writer.transaction { try writer.insert([1]) } }
        _ = try? pool.read { try $0.value("SELECT count(*) FROM item") }
      }
    }
    #expect(try pool.read { try $0.value("SELECT count(*) FROM item") } == .integer(100))
    try pool.close()
  }
}
