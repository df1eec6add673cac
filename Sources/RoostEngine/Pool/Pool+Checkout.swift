internal import Synchronization

extension Pool {
  /// A connection for one user to keep, until `checkin(_:)`; for instance for its temporary tables.
  ///
  /// It does not count towards `maximumReaders`, so that this never waits, and it may write temporary tables. Nothing
  /// but its user's manners keeps it from writing the database itself: that is the writer's. Use it within
  /// `use(_:_:)`: outside of that, `close()` may close it.
  package func checkout() throws -> Connection {
    if let connection = try sharedConnection() { return connection }
    let idle: PooledConnection? = try state.withLock { state throws(DatabaseError) in
      guard state.phase == .open else { throw Self.closedError }
      guard let reader = state.idleReaders.popLast() else { return nil }
      state.readerCount -= 1
      state.lent.append(PoolState.Loan(connection: reader))
      return reader
    }
    if let idle {
      idle.connection.lender = ObjectIdentifier(self)
      do {
        try use(idle.connection) { try idle.connection.execute("PRAGMA query_only=0") }
      } catch {
        checkin(idle.connection)
        throw error
      }
      return idle.connection
    }
    let connection = try open(queryOnly: false)
    let loan = PoolState.Loan(connection: PooledConnection(connection))
    let isOpen = state.withLock { state in
      if state.phase == .open { state.lent.append(loan) }
      return state.phase == .open
    }
    guard isOpen else {
      connection.close()
      throw Self.closedError
    }
    connection.lender = ObjectIdentifier(self)
    return connection
  }

  /// Runs `body`, during which a connection that is checked out stays open; throws if the pool was closed before.
  package func use<T>(_ connection: Connection, _ body: () throws -> T) throws -> T {
    if try sharedConnection() != nil { return try body() }
    let thread = PoolWaiter.currentThread
    let address = ObjectIdentifier(connection)
    guard state.withLock({ $0.beginUse(of: address, by: thread, unlessClosing: true) }) else { throw Self.closedError }
    defer { state.withLock { $0.endUse(of: address, by: thread) } }
    do {
      return try body()
    } catch {
      throw connection.explaining(error)
    }
  }

  /// Takes a connection back; it is closed if it carries temporary tables or the pool has enough, or was closed.
  package func checkin(_ connection: Connection) {
    guard !isShared, connection.lender == ObjectIdentifier(self) else { return }
    connection.lender = nil
    let address = ObjectIdentifier(connection)
    // Until it is closed or back, close() has to wait for it.
    guard state.withLock({ $0.beginUse(of: address, by: PoolWaiter.currentThread, unlessClosing: false) }) else {
      return
    }
    let reader = PooledConnection(connection)
    let isUsable = recycle(connection) && isPlain(connection)
    let isKept = state.withLock { state in
      guard isUsable, state.phase == .open, state.readerCount < maximumReaders else { return false }
      state.lent.removeAll { $0.connection.connection === reader.connection }
      state.readerCount += 1
      state.put(reader)
      return true
    }
    if isKept { return }
    connection.close()
    state.withLock { state in
      state.lent.removeAll { $0.connection.connection === reader.connection }
      state.wakeClosersIfIdle()
    }
  }

  /// Whether a connection is as it was when it was opened; it is made one that only reads.
  private func isPlain(_ connection: Connection) -> Bool {
    do {
      let others = try connection.strings(
        """
        SELECT 1 FROM temp.sqlite_schema UNION ALL \
        SELECT 1 FROM pragma_database_list WHERE name NOT IN ('main', 'temp') LIMIT 1
        """)
      if !others.isEmpty { return false }
      try makeReader(connection)
      return true
    } catch {
      return false
    }
  }
}

extension PoolState {
  private func loan(of connection: ObjectIdentifier) -> Int? {
    lent.firstIndex { ObjectIdentifier($0.connection.connection) == connection }
  }

  /// False if the connection is no longer checked out, which is so after `close()`.
  mutating func beginUse(of connection: ObjectIdentifier, by thread: UInt, unlessClosing: Bool) -> Bool {
    guard let index = loan(of: connection) else { return false }
    // Who uses it already may go on: close() waits for the whole use.
    if unlessClosing, phase != .open, !lent[index].threads.contains(thread) { return false }
    lent[index].threads.append(thread)
    return true
  }

  mutating func endUse(of connection: ObjectIdentifier, by thread: UInt) {
    if let index = loan(of: connection), let use = lent[index].threads.lastIndex(of: thread) {
      lent[index].threads.remove(at: use)
    }
    wakeClosersIfIdle()
  }
}
