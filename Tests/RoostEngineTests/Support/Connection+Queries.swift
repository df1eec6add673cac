import Foundation
import RoostEngine

extension ConnectionOptions {
  /// A database in memory that nobody else has.
  static var inMemory: Self { ConnectionOptions(location: .memory(name: UUID().uuidString)) }
}

extension Connection {
  /// A connection to a database in memory that nobody else has.
  static func inMemory() throws -> Connection { try Connection(.inMemory) }

  /// The first value of the first row.
  func value(_ sql: String, _ arguments: DatabaseValue...) throws -> DatabaseValue? {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, argument) in arguments.enumerated() { statement.bind(argument, at: Int32(index + 1)) }
    return try statement.step() ? statement.value(0) : nil
  }

  /// The first column of all rows.
  func values(_ sql: String) throws -> [DatabaseValue] {
    let statement = try statement(sql)
    var values: [DatabaseValue] = []
    while try statement.step() { values.append(statement.value(0)) }
    return values
  }

  /// Inserts into `item`.
  func insert(_ values: some Sequence<Int>) throws {
    try savepoint {
      let statement = try statement("INSERT INTO item VALUES (?)")
      for value in values {
        statement.bind(value, at: 1)
        try statement.run()
      }
    }
  }
}

/// The code of the `DatabaseError` that `body` throws.
func codeThrown(by body: () throws -> Void) -> Int32? {
  do {
    try body()
    return nil
  } catch {
    return (error as? DatabaseError)?.code
  }
}

/// Runs `body` on a thread of its own and waits for it.
func onAnotherThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) throws -> T {
  let done = DispatchSemaphore(value: 0)
  let box = ResultBox<T>()
  Thread.detachNewThread {
    box.set(Result { try body() })
    done.signal()
  }
  done.wait()
  return try box.get()
}
