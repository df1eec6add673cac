internal import Synchronization

extension Pool {
  /// Reads with a connection that refuses to write (`query_only`). No transaction is begun.
  @inlinable
  package func read<T>(_ body: (Connection) throws -> T) throws -> T {
    let reader = try takeReader()
    defer { giveBack(reader: reader) }
    do {
      return try body(reader)
    } catch {
      throw reader.explaining(error)
    }
  }

  /// The same for whoever cannot say that nothing was read: the task's cancellation ends no wait.
  @inlinable
  package func readUncancelled<T>(_ body: (Connection) throws -> T) throws -> T {
    let reader = try takeReader(isCancellable: false)
    defer { giveBack(reader: reader) }
    do {
      return try reader.ignoringCancellation { try body(reader) }
    } catch {
      throw reader.explaining(error)
    }
  }

  private enum Admission {
    case reader(PooledConnection)
    case open
    case wait(PoolWaiter)
    case refused(DatabaseError)
  }

  @usableFromInline
  func takeReader(isCancellable: Bool = true) throws -> Connection {
    if let connection = try sharedConnection() { return connection }
    let thread = PoolWaiter.currentThread
    while true {
      switch admitReader(thread) {
      case .reader(let reader): return reader.connection
      case .open: return try openReader(thread)
      case .refused(let error): throw error
      case .wait(let waiter):
        switch isCancellable ? waiter.waitUnlessCancelled() ?? withdraw(waiter) : waiter.wait() {
        case .connection(let reader)?: return reader.connection
        case .proceed?: continue
        case nil: throw Self.cancelledError
        }
      }
    }
  }

  private func admitReader(_ thread: UInt) -> Admission {
    state.withLock { state in
      if state.writerThread == thread {
        return .refused(Self.reentrancyError("read(_:) within write(_:): read with the connection that write(_:) gave"))
      }
      if let reading = state.readings.first(where: { $0.thread == thread }) {
        reading.reader.connection.nesting += 1
        return .reader(reading.reader)
      }
      guard state.phase == .open else { return .refused(Self.closedError) }
      // Whoever waits comes first.
      if state.readWaiters.isEmpty {
        if let reader = state.idleReaders.popLast() {
          state.readings.append(PoolState.Reading(thread: thread, reader: reader))
          return .reader(reader)
        }
        if state.readerCount < maximumReaders {
          state.readerCount += 1
          return .open
        }
      }
      let waiter = PoolWaiter(thread: thread)
      state.readWaiters.append(waiter)
      return .wait(waiter)
    }
  }

  private func openReader(_ thread: UInt) throws -> Connection {
    do {
      let connection = try open(queryOnly: true)
      let reader = PooledConnection(connection)
      state.withLock { $0.readings.append(PoolState.Reading(thread: thread, reader: reader)) }
      return connection
    } catch {
      state.withLock { $0.loseReader() }
      throw error
    }
  }

  @usableFromInline
  func giveBack(reader connection: Connection) {
    if isShared { return }
    if connection.nesting > 0 {
      connection.nesting -= 1
      return
    }
    let isUsable = recycle(connection)
    if !isUsable { connection.close() }
    let reader = PooledConnection(connection)
    state.withLock { state in
      state.readings.removeAll { $0.reader.connection === reader.connection }
      if isUsable {
        state.put(reader)
      } else {
        state.loseReader()
      }
    }
  }

  /// Takes a cancelled waiter off the lists; if it has been served at the same moment, what it was given.
  func withdraw(_ waiter: PoolWaiter) -> PoolWaiter.Outcome? {
    let wasWaiting = state.withLock { state in
      let count = state.readWaiters.count + state.writeWaiters.count
      state.readWaiters.removeAll { $0 === waiter }
      state.writeWaiters.removeAll { $0 === waiter }
      return state.readWaiters.count + state.writeWaiters.count < count
    }
    return wasWaiting ? nil : waiter.wait()
  }
}

extension PoolState {
  /// Gives a reader to whoever waits longest, or keeps it.
  mutating func put(_ reader: PooledConnection) {
    guard phase == .open, !readWaiters.isEmpty else {
      idleReaders.append(reader)
      wakeClosersIfIdle()
      return
    }
    let waiter = readWaiters.removeFirst()
    readings.append(Reading(thread: waiter.thread, reader: reader))
    waiter.resume(.connection(reader))
  }

  /// Notes that a reader is gone, so that somebody else may open one.
  mutating func loseReader() {
    readerCount -= 1
    // All of them: one alone would find the others waiting, and wait behind them for a reader that nobody has.
    Self.wake(&readWaiters)
    wakeClosersIfIdle()
  }
}
