/// A connection that belongs to a pool.
struct PooledConnection: @unchecked Sendable {
  // SAFETY: it is either in the pool's state, whose mutex orders all access and under which nobody runs statements, or
  // it has been taken out of there by one thread, which alone uses it until it puts it back.
  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }
}

/// What a pool's mutex protects.
struct PoolState {
  enum Phase {
    case open
    case closing
    case closed
  }

  /// A thread that is reading.
  struct Reading {
    let thread: UInt
    let reader: PooledConnection
  }

  /// A connection that is checked out.
  struct Loan {
    let connection: PooledConnection
    /// Those who use it now, once for each use within another.
    var threads: [UInt] = []
  }

  var phase = Phase.open
  var idleReaders: [PooledConnection] = []
  /// How many readers are open, or being opened, except those checked out.
  var readerCount = 0
  var readings: [Reading] = []
  var readWaiters: [PoolWaiter] = []

  /// The writer, unless it is in use or not open.
  var writer: PooledConnection?
  /// The thread that is writing.
  var writerThread: UInt?
  var writeWaiters: [PoolWaiter] = []

  /// The connections that are checked out.
  var lent: [Loan] = []

  /// Whether somebody has taken the connections out to close them.
  var isBeingClosed = false
  /// Those who wait for the pool to be closed.
  var closers: [PoolWaiter] = []

  /// Whether somebody reads, writes, is opening a connection to do so, or uses one that is checked out.
  var isInUse: Bool {
    writerThread != nil || readerCount > idleReaders.count || lent.contains { !$0.threads.isEmpty }
  }

  /// Whether a thread is already reading or writing.
  func isUsed(by thread: UInt) -> Bool {
    writerThread == thread || readings.contains { $0.thread == thread }
  }

  /// Turns everybody away who waits for a connection.
  mutating func dismissWaiters() {
    Self.wake(&readWaiters)
    Self.wake(&writeWaiters)
  }

  /// Has all of some who wait look again.
  static func wake(_ waiters: inout [PoolWaiter]) {
    for waiter in waiters { waiter.resume(.proceed) }
    waiters = []
  }

  /// Wakes those who close the pool, if nobody is in the way any more.
  mutating func wakeClosersIfIdle() {
    guard phase != .open, !isInUse else { return }
    for closer in closers { closer.resume(.proceed) }
    closers = []
  }
}
