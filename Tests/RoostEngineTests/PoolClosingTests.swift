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
    let other = try Connection(file.options)
    try pool.close()
    let copy = try TemporaryFile()
    try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
    #expect(try Connection(copy.options).value("SELECT count(*) FROM item") == .integer(2_000))
    #expect(try other.value("SELECT count(*) FROM item") == .integer(2_000))
    other.close()
    #expect(try file.names() == ["store.sqlite"])
  }

  @Test func `Closing closes what is checked out, too`() throws {
    let lent = try pool.checkout()
    #expect(try pool.use(lent) { try lent.value("SELECT count(*) FROM item") } == .integer(2_000))
    try pool.close()
    #expect(lent.isClosed)
    #expect(try file.names() == ["store.sqlite"])
    #expect(codeThrown { try pool.use(lent) {} } == DatabaseError.misuse)
    pool.checkin(lent)
  }

  @Test func `Closing within the use of a connection that is checked out is refused`() throws {
    let lent = try pool.checkout()
    try pool.use(lent) { #expect(codeThrown { try pool.close() } == DatabaseError.locked) }
    #expect(!pool.isClosed)
    pool.checkin(lent)
    #expect(!lent.isClosed)
  }

  @Test func `Closing waits for those who use a connection that is checked out`() throws {
    let pool = pool
    let entered = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)
    let counted = ResultBox<Bool>()
    Thread.detachNewThread {
      counted.set(
        Result {
          let lent = try pool.checkout()
          return try pool.use(lent) {
            entered.signal()
            leave.wait()
            // The pool is closing by now; a use within this one is part of it.
            return try pool.use(lent) { try lent.value("SELECT count(*) FROM item") == .integer(2_000) }
          }
        })
    }
    entered.wait()
    let closing = DispatchGroup()
    closing.enter()
    Thread.detachNewThread {
      try? pool.close()
      closing.leave()
    }
    // Either it comes while the pool is open and goes at once, or the pool is closing: then nobody new may come.
    while !pool.isClosed { try? pool.read { _ in } }
    leave.signal()
    closing.wait()
    #expect(try counted.get())
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
