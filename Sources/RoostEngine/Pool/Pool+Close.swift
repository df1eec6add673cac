internal import Synchronization

extension Pool {
  /// Waits for those who read and write, then closes; afterwards every call throws. May be called again.
  ///
  /// What the queries asked would have liked to know of their indexes is counted. The write-ahead log is moved into the
  /// file, which alone is then a whole copy of the database, and removed if nobody else has the database open.
  /// Connections that are checked out are closed, too.
  package func close() throws {
    let thread = PoolWaiter.currentThread
    while true {
      let step = state.withLock { $0.beginClosing(thread) }
      switch step {
      case .done: return
      case .wait(let waiter): _ = waiter.wait()
      case .refused(let error): throw error
      case .close(let readers, let writer):
        defer { state.withLock { $0.finishClosing() } }
        let statistics = (readers + [writer].compactMap(\.self)).flatMap { $0.connection.missingStatistics }
        for reader in readers { reader.connection.close() }
        if let writer { try closeWriter(writer.connection, Set(statistics)) }
        return
      }
    }
  }

  private func closeWriter(_ writer: Connection, _ statistics: Set<String>) throws {
    defer { writer.close() }
    guard options.usesWriteAheadLog else { return }
    writer.countStatistics(statistics)
    do {
      try writer.checkpoint(.truncate)
    } catch  where [DatabaseError.busy, DatabaseError.interrupt].contains(error.primaryCode) {
      // Others have the database open, and do this when they close it.
    }
  }
}

extension PoolState {
  /// What closing has to do next.
  enum Closing {
    case done
    case wait(PoolWaiter)
    case close(readers: [PooledConnection], writer: PooledConnection?)
    case refused(DatabaseError)
  }

  mutating func beginClosing(_ thread: UInt) -> Closing {
    if phase == .closed { return .done }
    if isUsed(by: thread) || lent.contains(where: { $0.threads.contains(thread) }) {
      return .refused(Pool.reentrancyError("close() within read(_:), write(_:) or use(_:_:) would wait for itself"))
    }
    if phase == .open {
      phase = .closing
      dismissWaiters()
    }
    guard !isInUse, !isBeingClosed else {
      let waiter = PoolWaiter(thread: thread)
      closers.append(waiter)
      return .wait(waiter)
    }
    isBeingClosed = true
    defer {
      idleReaders = []
      lent = []
      readerCount = 0
      writer = nil
    }
    return .close(readers: idleReaders + lent.map(\.connection), writer: writer)
  }

  mutating func finishClosing() {
    phase = .closed
    for closer in closers { closer.resume(.proceed) }
    closers = []
  }
}
