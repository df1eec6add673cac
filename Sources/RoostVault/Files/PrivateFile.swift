#if !os(Windows)
  import Foundation

  /// A file that its owner alone may read and write, in a folder where not everybody may put files.
  struct PrivateFile {
    let path: String
    private var folder: String { (path as NSString).deletingLastPathComponent }

    /// The file's bytes; nil if there is no file.
    func read() throws -> Data? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else {
        if errno == ENOENT { return nil }
        if errno == ELOOP {
          throw SecretError(.insecure, "\(path) is a symbolic link.", remedy: "Name the file itself.")
        }
        throw SecretError.system("open", path)
      }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try checkFile(descriptor)
      try checkFolder()
      do {
        return try handle.readToEnd() ?? Data()
      } catch {
        throw SecretError(.failed, "Cannot read \(path): \(error).", remedy: "See whether the disk is well.")
      }
    }

    /// Replaces the file, so that others read the former bytes or the new ones. Only under a lock.
    func replace(with bytes: Data) throws {
      try makeFolder()
      try checkFolder()
      let new = path + ".new"
      // Of a program that ended here.
      unlink(new)
      let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw SecretError.system("write", new) }
      do {
        try write(bytes, to: descriptor, new)
        guard rename(new, path) == 0 else { throw SecretError.system("replace", path) }
      } catch {
        unlink(new)
        throw error
      }
      synchronizeFolder()
    }

    /// Makes the folder, for its owner alone, if it is not there.
    func makeFolder() throws {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw SecretError(
          .denied, "Cannot make the folder \(folder).", remedy: "Make it, or choose a place that can be written to.")
      }
    }

    private func write(_ bytes: Data, to descriptor: Int32, _ path: String) throws {
      defer { close(descriptor) }
      try bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
        var rest = bytes[...]
        while !rest.isEmpty {
          // The C library's name is this method's, too.
          let count = systemWrite(descriptor, rest.base.baseAddress?.advanced(by: rest.startIndex), rest.count)
          if count < 0 && errno == EINTR { continue }
          guard count > 0 else { throw SecretError.system("write", path) }
          rest = rest.dropFirst(count)
        }
      }
      guard fsync(descriptor) == 0 else { throw SecretError.system("write", path) }
    }

    /// A power cut must not bring the former file back. Not all file systems can, and the file is whole either way.
    private func synchronizeFolder() {
      let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      _ = fsync(descriptor)
      close(descriptor)
    }
  }

  // MARK: - Who else may

  extension PrivateFile {
    private func checkFile(_ descriptor: Int32) throws {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SecretError.system("look at", path) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw SecretError(.insecure, "\(path) is no regular file.", remedy: "Name a file.")
      }
      guard status.st_uid == geteuid() else {
        throw SecretError(
          .insecure, "\(path) belongs to the user \(status.st_uid), and the program runs as \(geteuid()).",
          remedy: "Run `chown \(geteuid()) \(path)` if its content can be trusted.")
      }
      guard status.st_mode & 0o077 == 0 else {
        throw SecretError(
          .insecure, "Others than its owner may read or write \(path).",
          remedy: "Run `chmod 600 \(path)`, and think of its secrets as known to them.")
      }
    }

    private func checkFolder() throws {
      var status = stat()
      guard stat(folder, &status) == 0 else { throw SecretError.system("look at", folder) }
      guard status.st_mode & 0o002 == 0 else {
        throw SecretError(
          .insecure, "Everybody may put files into \(folder).",
          remedy: "Choose a folder of the program's own, or run `chmod o-w \(folder)`.")
      }
    }
  }

  private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    // SAFETY: the caller's buffer has `count` bytes there.
    write(descriptor, bytes, count)
  }
#endif
