internal import SQLiteLibrary

/// How one statement waits for other connections' locks: for a bounded time in all, and cancellably.
struct LockWait {
  private var deadline: ContinuousClock.Instant?
  private var interruptGeneration: UInt = 0
  private(set) var wasCancelled = false

  /// Starts anew, for a statement that begins now.
  mutating func begin(interruptGeneration: UInt) {
    deadline = nil
    wasCancelled = false
    self.interruptGeneration = interruptGeneration
  }

  /// Sleeps before another attempt; false if the time is up or the wait was cancelled.
  mutating func pause(
    attempt: Int32, timeout: Duration, interrupts: InterruptHandle, heedsCancellation: Bool
  ) -> Bool {
    if (heedsCancellation && Task.isCancelled) || interrupts.generation != interruptGeneration {
      wasCancelled = true
      return false
    }
    let now = ContinuousClock.now
    let end = deadline ?? now + timeout
    deadline = end
    guard now < end else { return false }
    let remaining = (end - now).components
    let milliseconds = remaining.seconds > 0 ? 1000 : remaining.attoseconds / 1_000_000_000_000_000
    // Short, for most locks are held shortly. Who waits longer must not try less often than those who come after, or
    // one program's commits wait for a thousand of others'. Never long, so that cancelling shows at once.
    let wished: Int64 = attempt < 100 ? 1 : attempt < 200 ? 2 : 10
    sqlite3_sleep(Int32(max(1, min(wished, milliseconds))))
    return true
  }
}

extension ConnectionState {
  /// Sleeps before another attempt; false if the time is up or the wait was cancelled.
  func pause(attempt: Int32) -> Bool {
    wait.pause(
      attempt: attempt, timeout: options.busyTimeout, interrupts: interruptHandle, heedsCancellation: heedsCancellation)
  }

  /// Makes SQLite ask us how to wait, whenever another connection holds a lock that it needs.
  func installBusyHandler(on database: OpaquePointer) {
    // SAFETY: this object owns `database` and closes it in its `deinit` at the latest, so that the unretained reference
    // is valid in every call. SQLite calls on the thread that uses the connection, of which there is one at a time.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_busy_handler(
      database,
      { context, attempt in
        guard let context else { return 0 }
        return Unmanaged<ConnectionState>.fromOpaque(context).takeUnretainedValue().pause(attempt: attempt) ? 1 : 0
      }, context)
  }

  /// Tries again as long as `body` reports a lock that SQLite itself does not wait for, within the bounded time.
  func retryingWhileBusy<T>(_ body: () throws(DatabaseError) -> T) throws(DatabaseError) -> T {
    var attempt: Int32 = 0
    while true {
      do throws(DatabaseError) {
        return try body()
      } catch {
        guard error.primaryCode == SQLITE_BUSY, !wait.wasCancelled, pause(attempt: attempt) else { throw error }
        attempt += 1
      }
    }
  }
}

extension Connection {
  /// Runs `body`, in which waits for other connections' locks go on though the task is cancelled.
  package func ignoringCancellation<T>(_ body: () throws -> T) rethrows -> T {
    let didHeed = state.heedsCancellation
    state.heedsCancellation = false
    defer { state.heedsCancellation = didHeed }
    return try body()
  }
}
