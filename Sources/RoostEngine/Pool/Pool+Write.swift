internal import Synchronization

extension Pool {
  /// Gives `body` the connection that writes, which nobody else has meanwhile. No transaction is begun.
  @inlinable
  package func write<T>(_ body: (Connection) throws -> T) throws -> T {
    let writer = try takeWriter()
    defer { giveBack(writer: writer) }
    return try body(writer)
  }

  /// As `write(_:)`, or nil at once if somebody else has the writer.
  package func writeIfIdle<T>(_ body: (Connection) throws -> T) throws -> T? {
    if isShared { return nil }
    let idle: PooledConnection? = state.withLock { state in
      guard state.phase == .open, state.writerThread == nil, let writer = state.writer else { return nil }
      state.writerThread = PoolWaiter.currentThread
      state.writer = nil
      return writer
    }
    guard let writer = idle?.connection else { return nil }
    defer { giveBack(writer: writer) }
    return try body(writer)
  }

  private enum Admission {
    case writer(PooledConnection)
    case open
    case wait(PoolWaiter)
    case refused(DatabaseError)
  }

  @usableFromInline
  func takeWriter() throws -> Connection {
    if let connection = try sharedConnection() { return connection }
    let thread = PoolWaiter.currentThread
    while true {
      switch admitWriter(thread) {
      case .writer(let writer): return writer.connection
      case .open: return try openWriter()
      case .refused(let error): throw error
      case .wait(let waiter):
        switch waiter.waitUnlessCancelled() ?? withdraw(waiter) {
        case .connection(let writer)?: return writer.connection
        case .proceed?: continue
        case nil: throw Self.cancelledError
        }
      }
    }
  }

  private func admitWriter(_ thread: UInt) -> Admission {
    state.withLock { state in
      guard state.phase == .open else { return .refused(Self.closedError) }
      if state.writerThread == thread {
        return .refused(Self.reentrancyError("write(_:) within write(_:): use the connection that the outer one gave"))
      }
      if state.isUsed(by: thread) {
        return .refused(Self.reentrancyError("write(_:) within read(_:): finish reading first"))
      }
      if state.writerThread == nil, state.writeWaiters.isEmpty {
        state.writerThread = thread
        guard let writer = state.writer else { return .open }
        state.writer = nil
        return .writer(writer)
      }
      let waiter = PoolWaiter(thread: thread)
      state.writeWaiters.append(waiter)
      return .wait(waiter)
    }
  }

  /// Opens the writer again, after somebody closed it.
  private func openWriter() throws -> Connection {
    do {
      return try open(queryOnly: false)
    } catch {
      state.withLock { $0.put(writer: nil) }
      throw error
    }
  }

  @usableFromInline
  func giveBack(writer connection: Connection) {
    if isShared { return }
    let isUsable = recycle(connection)
    if !isUsable { connection.close() }
    let writer = PooledConnection(connection)
    state.withLock { $0.put(writer: isUsable ? writer : nil) }
  }
}

extension PoolState {
  /// Gives the writer to whoever waits longest, or keeps it; `nil` if it must be opened again.
  mutating func put(writer: PooledConnection?) {
    writerThread = nil
    if phase == .open, let writer, !writeWaiters.isEmpty {
      let waiter = writeWaiters.removeFirst()
      writerThread = waiter.thread
      waiter.resume(.connection(writer))
      return
    }
    self.writer = writer
    // Without a writer all look again, as one alone would wait behind the others.
    Self.wake(&writeWaiters)
    wakeClosersIfIdle()
  }
}
