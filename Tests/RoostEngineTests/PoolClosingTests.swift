import Foundation
import RoostEngine
import Testing

@Suite struct PoolClosingTests {
  let file: TemporaryFile
  let pool: Pool

  init() throws {
    file = try TemporaryFile()
    pool = try Pool(file.options)
    try pool.write { writer in
      try writer.execute("CREATE TABLE item(value)")
      try writer.insert(1...2_000)
    }
  }

  @Test func `After closing the file alone is the whole database`() throws {
    try pool.read { try $0.execute("SELECT count(*) FROM item") }
    try pool.close()
    #expect(try file.names() == ["store.sqlite"])
    let copy = try TemporaryFile()
    try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
    let connection = try Connection(copy.options)
    #expect(try connection.value("SELECT count(*) FROM item") == .integer(2_000))
    #expect(try connection.integrityCheck() == [])
  }

  @Test func `While others have the database open, the file alone is whole, too`() throws {
    let lent = try pool.checkout()
    try pool.close()
    let copy = try TemporaryFile()
    try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
    #expect(try Connection(copy.options).value("SELECT count(*) FROM item") == .integer(2_000))
    #expect(try lent.value("SELECT count(*) FROM item") == .integer(2_000))
    pool.checkin(lent)
    #expect(lent.isClosed)
    #expect(try file.names() == ["store.sqlite"])
  }

  @Test func `After closing every call throws`() throws {
    try pool.close()
    try pool.close()
    #expect(pool.isClosed)
    #expect(codeThrown { try pool.read { _ in } } == DatabaseError.misuse)
    #expect(codeThrown { try pool.write { _ in } } == DatabaseError.misuse)
    #expect(codeThrown { _ = try pool.checkout() } == DatabaseError.misuse)
  }

  @Test func `Closing waits for those at work and turns those away who wait`() throws {
    let pool = pool
    let entered = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)
    let written = ResultBox<Bool>()
    Thread.detachNewThread {
      written.set(
        Result {
          try pool.write { writer in
            entered.signal()
            leave.wait()
            try writer.insert([1])
            return true
          }
        })
    }
    entered.wait()
    let closing = DispatchGroup()
    for _ in 0..<2 {
      closing.enter()
      Thread.detachNewThread {
        try? pool.close()
        closing.leave()
      }
    }
    // Either it still waits when the pool begins to close, or it comes too late.
    let refusal = try onAnotherThread { codeThrown { try pool.write { _ in } } }
    #expect(refusal == DatabaseError.misuse)
    leave.signal()
    closing.wait()
    #expect(try written.get())
    #expect(try Connection(file.options).value("SELECT count(*) FROM item") == .integer(2_001))
  }
}
