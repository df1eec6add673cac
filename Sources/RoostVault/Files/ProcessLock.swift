#if !os(Windows)
  import Foundation

  /// A file that one process, and one thread of it, can hold at a time.
  struct ProcessLock {
    let path: String
    /// A process that was stopped while it held the lock must not stop all others for ever.
    var patience: Duration = .seconds(30)

    /// One for all programs of the user on this machine.
    static var ofUser: ProcessLock {
      // What cron starts lacks the variable, and may have the session's bus and so its keyring all the same.
      ofUser(in: [ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], "/run/user/\(geteuid())"])
    }

    /// In the first of some folders that is the user's own.
    static func ofUser(in folders: [String?]) -> ProcessLock {
      for case let folder? in folders where folder.hasPrefix("/") && access(folder, W_OK) == 0 {
        // Root that works as another user, with that user's environment, has none there.
        if owner(of: URL(fileURLWithPath: folder).resolvingSymlinksInPath().path) == geteuid() {
          return ProcessLock(path: folder + "/roost-secrets.lock")
        }
      }
      return ProcessLock(path: FileManager.default.temporaryDirectory.path + "/roost-secrets-\(geteuid()).lock")
    }

    @discardableResult func whileHeld<Result>(_ body: () throws -> Result) throws -> Result {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        let number = errno
        // Linux lets nobody open for writing what another user has put into /tmp.
        try checkOwner(Self.owner(of: path))
        throw SecretError.system("open the lock", path, number)
      }
      // A program that is being started has a copy of the descriptor, which would hold the lock for a moment.
      defer {
        flock(descriptor, LOCK_UN)
        close(descriptor)
      }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SecretError.system("look at the lock", path) }
      try checkOwner(status.st_uid)
      try lock(descriptor)
      return try body()
    }

    /// Another user's could be held for ever, or be replaced while it is held.
    private func checkOwner(_ owner: uid_t?) throws {
      guard let owner, owner != geteuid() else { return }
      throw SecretError(
        .insecure, "The lock \(path) belongs to the user \(owner), and the program runs as \(geteuid()).",
        remedy: "Set XDG_RUNTIME_DIR to a folder that is this user's alone, or have the file removed.")
    }

    /// nil for what is not there. A link is not followed.
    private static func owner(of path: String) -> uid_t? {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_uid : nil
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
