import Foundation
import RoostEngine
import Testing

@Suite struct WaitingTests {
  let file: TemporaryFile
  let holder: Connection

  init() throws {
    file = try TemporaryFile()
    holder = try Connection(file.options)
    try holder.execute("CREATE TABLE item(value)")
    try holder.begin()
  }

  @Test func `Waiting for a lock ends when the time is up`() throws {
    var options = file.options
    options.busyTimeout = .milliseconds(30)
    let connection = try Connection(options)
    #expect(codeThrown { try connection.begin() } == DatabaseError.busy)
    holder.rollback()
    #expect(codeThrown { try connection.begin() } == nil)
  }

  @Test func `Waiting for a lock ends when it is given up`() throws {
    let options = file.options
    let waiting = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let result = ResultBox<Int32?>()
    Thread.detachNewThread {
      result.set(
        Result {
          var options = options
          options.trace = { if case .began("BEGIN IMMEDIATE") = $0 { waiting.signal() } }
          let connection = try Connection(options)
          return codeThrown { try connection.begin() }
        })
      done.signal()
    }
    waiting.wait()
    try holder.commit()
    done.wait()
    #expect(try result.get() == nil)
  }

  @Test func `An interrupt ends the wait for a lock`() throws {
    let box = Shared<InterruptHandle>()
    var options = file.options
    options.busyTimeout = .seconds(600)
    options.trace = { if case .began("BEGIN IMMEDIATE") = $0 { box.value?.interrupt() } }
    let connection = try Connection(options)
    box.value = connection.interruptHandle
    #expect(codeThrown { try connection.begin() } == DatabaseError.interrupt)
  }

  @Test func `Cancelling the task ends the wait for a lock`() async throws {
    var options = file.options
    options.busyTimeout = .seconds(600)
    let task = Task { [options] in
      let connection = try Connection(options)
      try connection.begin()
    }
    task.cancel()
    let error = await #expect(throws: DatabaseError.self) { try await task.value }
    #expect(error?.code == DatabaseError.interrupt)
  }

  @Test func `An interrupt stops a statement that runs, and no later one`() throws {
    let handle = holder.interruptHandle
    holder.addFunction("stop", arguments: 1, isDeterministic: false) { arguments in
      if arguments.int64(0) == 1_000 { handle.interrupt() }
      return .null
    }
    let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT stop(x) FROM c"
    #expect(codeThrown { try holder.execute(endless) } == DatabaseError.interrupt)
    handle.interrupt()
    #expect(try holder.value("SELECT 1") == .integer(1))
  }

  @Test func `An interrupt in a transaction leaves nothing of it`() throws {
    let handle = holder.interruptHandle
    holder.addFunction("stop", arguments: 0, isDeterministic: false) { _ in
      handle.interrupt()
      return .null
    }
    holder.rollback()
    let code = codeThrown {
      try holder.transaction {
        try holder.insert(1...10)
        let statement = try holder.statement("SELECT value FROM item")
        _ = try statement.step()
        _ = try holder.value("SELECT stop()")
        _ = try holder.values("SELECT value FROM item a, item b")
      }
    }
    #expect(code == DatabaseError.interrupt)
    #expect(!holder.isInTransaction)
    #expect(try holder.values("SELECT value FROM item") == [])
  }

  @Test func `A view that another connection has overtaken cannot be written from`() throws {
    try holder.commit()
    let connection = try Connection(file.options)
    try connection.begin(.deferred)
    #expect(try connection.values("SELECT value FROM item") == [])
    try holder.insert([1])
    #expect(codeThrown { try connection.insert([2]) } == DatabaseError.busySnapshot)
    connection.rollback()
  }

  @Test func `The data version tells of others' commits only`() throws {
    try holder.commit()
    let connection = try Connection(file.options)
    let version = try connection.dataVersion()
    try connection.insert([1])
    #expect(try connection.dataVersion() == version)
    try holder.insert([2])
    #expect(try connection.dataVersion() != version)
  }
}
