import EncryptionSupport
import Foundation
import RoostEngine
import Testing

@Suite struct PoolTests {
  let file: TemporaryFile
  let pool: Pool

  struct Refusal: Error {}

  init() throws {
    file = try TemporaryFile()
    pool = try Pool(file.options) { $0.addFunction("twice", arguments: 1) { .integer($0.int64(0) * 2) } }
    try pool.write { try $0.execute("CREATE TABLE item(value)") }
  }

  private static func count(_ connection: Connection) throws -> DatabaseValue? {
    try connection.value("SELECT count(*) FROM item")
  }

  @Test func `Each new connection is prepared`() throws {
    #expect(try pool.write { try $0.value("SELECT twice(2)") } == .integer(4))
    #expect(try pool.read { try $0.value("SELECT twice(2)") } == .integer(4))
    #expect(try pool.checkout().value("SELECT twice(2)") == .integer(4))
  }

  @Test func `Reading does not wait for the writer, nor see what is not committed`() throws {
    let pool = pool
    try pool.write { writer in
      try writer.transaction {
        try writer.insert([1])
        #expect(try onAnotherThread { try pool.read { try Self.count($0) } } == .integer(0))
      }
    }
    #expect(try pool.read { try Self.count($0) } == .integer(1))
  }

  @Test func `A connection for reading refuses to write`() {
    #expect(codeThrown { try pool.read { try $0.insert([1]) } } == DatabaseError.readOnly)
  }

  @Test(.plainFiles) func `Only what is read from a file is sorted in a file`() throws {
    #expect(try pool.read { try $0.value("PRAGMA temp_store") } == .integer(1))
    #expect(try pool.write { try $0.value("PRAGMA temp_store") } == .integer(2))
    let memory = try Pool(.inMemory)
    #expect(try memory.read { try $0.value("PRAGMA temp_store") } == .integer(2))
  }

  @Test func `Writers take turns, and readers go on meanwhile`() throws {
    let pool = pool
    try pool.write { try $0.insert([0]) }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 {
        try? pool.write { writer in
          guard case .integer(let value)? = try writer.value("SELECT value FROM item") else { return }
          try writer.execute("UPDATE item SET value = \(value + 1)")
        }
        _ = try? pool.read { try Self.count($0) }
      }
    }
    #expect(try pool.read { try $0.value("SELECT value FROM item") } == .integer(200))
    #expect(pool.readerCount <= 5)
  }

  @Test func `More readers than connections take turns`() throws {
    let pool = try Pool(file.options, maximumReaders: 1)
    let failures = Shared(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 where (try? pool.read { try Self.count($0) }) != .integer(0) { failures.update { $0? += 1 } }
    }
    #expect(failures.value == 0)
    #expect(pool.readerCount == 1)
  }

  @Test func `Reading within reading has the same connection`() throws {
    let pool = try Pool(file.options, maximumReaders: 1)
    try pool.read { outer in
      try pool.read { inner in
        #expect(inner === outer)
      }
      #expect(try Self.count(outer) == .integer(0))
    }
    #expect(try pool.read { try Self.count($0) } == .integer(0))
  }

  @Test func `What would wait for itself throws`() throws {
    try pool.write { _ in
      #expect(codeThrown { try pool.write { _ in } } == DatabaseError.locked)
      #expect(codeThrown { try pool.read { _ in } } == DatabaseError.locked)
      #expect(codeThrown { try pool.close() } == DatabaseError.locked)
    }
    try pool.read { _ in
      #expect(codeThrown { try pool.write { _ in } } == DatabaseError.locked)
      #expect(codeThrown { try pool.close() } == DatabaseError.locked)
    }
    #expect(!pool.isClosed)
  }

  @Test func `What a user leaves behind does not reach the next`() throws {
    #expect(throws: Refusal.self) {
      try pool.write { writer in
        try writer.begin()
        try writer.insert([1])
        throw Refusal()
      }
    }
    let left = try pool.read { reader in
      let statement = try reader.statement("SELECT 1 UNION ALL SELECT count(*) FROM item")
      _ = try statement.step()
      return ObjectIdentifier(reader)
    }
    try pool.write { try $0.insert([2]) }
    let next = try pool.read { (ObjectIdentifier($0), try Self.count($0)) }
    #expect(next == (left, .integer(1)))
  }

  @Test func `A connection that its user closed is replaced`() throws {
    try pool.read { $0.close() }
    try pool.write { $0.close() }
    try pool.write { try $0.insert([1]) }
    #expect(try pool.read { try Self.count($0) } == .integer(1))
  }

  @Test func `Several who wait for a connection that its user closed all get their turn`() throws {
    let pool = try Pool(file.options, maximumReaders: 1)
    try check(pool) { body in
      try pool.write { writer in
        body()
        writer.close()
      }
    } waiter: {
      try pool.write { try $0.insert([1]) }
    }
    #expect(try pool.read { try Self.count($0) } == .integer(3))
    try check(pool) { body in
      try pool.read { reader in
        body()
        reader.close()
      }
    } waiter: {
      _ = try pool.read { try Self.count($0) }
    }
  }

  /// Has three threads wait while `holder` runs what it is given, and sees that they go on afterwards.
  private func check(
    _ pool: Pool, _ holder: (_ body: () -> Void) throws -> Void, waiter: @escaping @Sendable () throws -> Void
  ) throws {
    let done = DispatchSemaphore(value: 0)
    try holder {
      for _ in 0..<3 { Thread.detachNewThread { if (try? waiter()) != nil { done.signal() } } }
      while pool.waiterCount < 3 { sched_yield() }
    }
    for _ in 0..<3 { #expect(done.wait(timeout: .now() + 10) == .success) }
  }

  @Test func `A connection that cannot be opened is nobody's loss`() throws {
    let isRefused = Shared<Bool>()
    let pool = try Pool(file.options) { _ in if isRefused.value == true { throw Refusal() } }
    isRefused.value = true
    #expect(throws: Refusal.self) { try pool.read { _ in } }
    isRefused.value = false
    #expect(try pool.read { try Self.count($0) } == .integer(0))
    #expect(pool.readerCount == 1)
    try pool.close()
  }

  @Test func `Cancelling the task ends the wait for a turn`() async throws {
    let pool = pool
    let leave = DispatchSemaphore(value: 0)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        try? pool.write { _ in
          continuation.resume()
          leave.wait()
        }
      }
    }
    let task = Task { try pool.write { _ in } }
    task.cancel()
    let error = await #expect(throws: DatabaseError.self) { try await task.value }
    #expect(error?.code == DatabaseError.interrupt)
    leave.signal()
    try pool.write { try $0.insert([1]) }
  }

  @Test func `Two pools, as of two processes, share a file`() throws {
    let other = try Pool(file.options)
    let pools = [pool, other]
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      for _ in 0..<25 { try? pools[index % 2].write { writer in try writer.transaction { try writer.insert([1]) } } }
    }
    #expect(try pool.read { try Self.count($0) } == .integer(100))
    #expect(try other.read { try Self.count($0) } == .integer(100))
    try other.close()
    #expect(try pool.read { try Self.count($0) } == .integer(100))
  }
}
