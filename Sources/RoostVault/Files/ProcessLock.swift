#if !os(Windows)
  import Foundation

  /// A file that one process, and one thread of it, can hold at a time.
  struct ProcessLock {
    let path: String
    /// A process that was stopped while it held the lock must not stop all others for ever.
    var patience: Duration = .seconds(30)

    /// One for all programs of the user on this machine.
    static var ofUser: ProcessLock {
      let environment = ProcessInfo.processInfo.environment
      if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), access(folder, W_OK) == 0 {
        return ProcessLock(path: folder + "/roost-secrets.lock")
      }
      return ProcessLock(path: FileManager.default.temporaryDirectory.path + "/roost-secrets-\(geteuid()).lock")
    }

    @discardableResult func whileHeld<Result>(_ body: () throws -> Result) throws -> Result {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw SecretError.system("open the lock", path) }
      // Which also lets go of it.
      defer { close(descriptor) }
      try lock(descriptor)
      return try body()
    }

    private func lock(_ descriptor: Int32) throws {
      let deadline = ContinuousClock.now + patience
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR else { throw SecretError.system("lock", path) }
        guard ContinuousClock.now < deadline else {
          throw SecretError(
            .busy, "Another process has held \(path) for \(patience).",
            remedy: "Look for a process that is stopped, and let it go on or end it.")
        }
        // flock has no timeout of its own, and an alarm would be the whole process's.
        usleep(2_000)
      }
    }
  }
#endif
