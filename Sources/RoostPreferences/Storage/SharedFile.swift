#if !os(Windows)
  import Foundation

  /// A file that is replaced as a whole, by one process at a time.
  struct SharedFile {
    let url: URL
    var folder: URL { url.deletingLastPathComponent() }
    private var path: String { url.path }

    private func beside(_ ending: String) -> String {
      folder.appending(path: ".\(url.lastPathComponent).\(ending)").path
    }

    /// The bytes; nil if there is no file.
    func read() throws(PreferencesError) -> Data? {
      // Without waiting for somebody to write to it, where it is a pipe.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw unreadable(errno)
      }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is no regular file") }
      do {
        return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data()
      } catch {
        throw unreadable(EIO)
      }
    }

    /// One process, and one thread of it, at a time.
    func locked<Result>(_ body: () throws(PreferencesError) -> Result) throws(PreferencesError) -> Result {
      guard makeFolder() else { throw unwritable("the folder cannot be made") }
      let descriptor = open(beside("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw unwritable(errno) }
      // Which also lets go of the lock.
      defer { close(descriptor) }
      let deadline = ContinuousClock.now + .seconds(10)
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        // flock has no timeout of its own, and a process that is stopped must not stop the others.
        guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
          throw unwritable("another process holds \(beside("lock"))")
        }
        usleep(1_000)
      }
      return try body()
    }

    /// Others read the former bytes or the new ones. Only under the lock.
    func replace(with bytes: Data) throws(PreferencesError) {
      let new = beside("new")
      var status = stat()
      let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
      // Of a program that ended here.
      unlink(new)
      let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw unwritable(errno) }
      let isWritten = write(bytes, to: descriptor) && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
      let number = errno
      close(descriptor)
      guard isWritten else {
        unlink(new)
        throw unwritable(number)
      }
      guard rename(new, path) == 0 else {
        let number = errno
        unlink(new)
        throw unwritable(number)
      }
    }

    /// Replaces the file, and keeps the former one under a name that no file has. Only under the lock.
    ///
    /// There is a file all the time: others take one that is gone for preferences that somebody has removed.
    func setAside(whileReplacing bytes: Data) throws(PreferencesError) -> URL {
      let aside = try secondName()
      do throws(PreferencesError) {
        try replace(with: bytes)
        return aside
      } catch {
        // The next write tries again, and the file has its own name still.
        unlink(aside.path)
        throw error
      }
    }

    /// Gives the file a name beside its own that no file has: a copy's where the disk has no links.
    private func secondName() throws(PreferencesError) -> URL {
      let name = url.deletingPathExtension().lastPathComponent
      for number in 1... {
        let other = folder.appending(path: "\(name).damaged-\(number).\(url.pathExtension)")
        if FileManager.default.fileExists(atPath: other.path) { continue }
        if link(path, other.path) == 0 { return other }
        if errno == EEXIST { continue }
        do {
          try FileManager.default.copyItem(at: url, to: other)
          return other
        } catch {
          unlink(other.path)
          throw unwritable("the damaged file cannot be set aside")
        }
      }
      throw unwritable("it cannot be set aside")
    }

    /// Whether the folder is there now.
    func makeFolder() -> Bool {
      (try? FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
    }

    private func write(_ bytes: Data, to descriptor: Int32) -> Bool {
      do {
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: bytes)
        return true
      } catch {
        // FileHandle has its own errors: most often the disk is full.
        errno = ENOSPC
        return false
      }
    }
  }

  // MARK: - Errors

  extension SharedFile {
    private func unreadable(_ number: Int32) -> PreferencesError { unreadable(String(cString: strerror(number))) }

    private func unreadable(_ reason: String) -> PreferencesError {
      PreferencesError(
        .unreadableFile, "The preferences cannot be read: \(reason).",
        remedy: "Let the program's user read the file. It is not written until it can be read.", url: url)
    }

    private func unwritable(_ number: Int32) -> PreferencesError { unwritable(String(cString: strerror(number))) }

    func unwritable(_ reason: String) -> PreferencesError {
      PreferencesError(
        .unwritableFile, "The preferences cannot be written, and are in memory alone: \(reason).",
        remedy: "Let the program's user write to the folder, and see that the disk has room.", url: url)
    }
  }
#endif
