internal import Synchronization

extension Pool {
  /// A connection for one user to keep, until `checkin(_:)`; for instance for its temporary tables.
  ///
  /// It does not count towards `maximumReaders`, so that this never waits, and it may write temporary tables. Nothing
  /// but its user's manners keeps it from writing the database itself: that is the writer's.
  package func checkout() throws -> Connection {
    let idle: PooledConnection? = try state.withLock { state throws(DatabaseError) in
      guard state.phase == .open else { throw Self.closedError }
      guard let reader = state.idleReaders.popLast() else { return nil }
      state.readerCount -= 1
      return reader
    }
    let connection: Connection
    if let idle {
      connection = idle.connection
      try connection.execute("PRAGMA query_only=0")
    } else {
      connection = try open(queryOnly: false)
    }
    connection.lender = ObjectIdentifier(self)
    return connection
  }

  /// Takes a connection back; it is closed if it carries temporary tables or the pool has enough, or was closed.
  package func checkin(_ connection: Connection) {
    guard connection.lender == ObjectIdentifier(self) else { return }
    connection.lender = nil
    guard recycle(connection), isPlain(connection) else {
      connection.close()
      return
    }
    let reader = PooledConnection(connection)
    let isKept = state.withLock { state in
      guard state.phase == .open, state.readerCount < maximumReaders else { return false }
      state.readerCount += 1
      state.put(reader)
      return true
    }
    if !isKept { connection.close() }
  }

  /// Whether a connection is as it was when it was opened; it is made to refuse writing again.
  private func isPlain(_ connection: Connection) -> Bool {
    do {
      try connection.execute("PRAGMA query_only=1")
      let statement = try connection.statement(
        """
        SELECT 1 FROM temp.sqlite_schema UNION ALL \
        SELECT 1 FROM pragma_database_list WHERE name NOT IN ('main', 'temp') LIMIT 1
        """)
      defer { statement.reset() }
      return try !statement.step()
    } catch {
      return false
    }
  }
}
