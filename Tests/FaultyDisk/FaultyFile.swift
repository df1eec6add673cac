import SQLiteLibrary

/// What SQLite keeps of an open file: our methods, the disk, and behind them the system's file.
struct FaultyFile {
  typealias File = UnsafeMutablePointer<sqlite3_file>

  /// Enough for pointers to methods, the disk and the path, and a multiple of what any type must be aligned to.
  static let headerSize = 32
  private static let diskOffset = 8
  private static let pathOffset = 16

  let disk: FaultyDisk
  /// nil for a file that has none, as a temporary one.
  let path: UnsafePointer<CChar>?
  let real: File
  let methods: sqlite3_io_methods

  // SAFETY: SQLite gives each file the memory that `szOsFile` asks for, and `open` fills it as it is read here.
  init?(_ file: File?) {
    guard let file else { return nil }
    real = Self.real(file)
    guard let methods = real.pointee.pMethods else { return nil }
    self.methods = methods.pointee
    let disk = UnsafeRawPointer(file).load(fromByteOffset: Self.diskOffset, as: UnsafeRawPointer.self)
    self.disk = Unmanaged<FaultyDisk>.fromOpaque(disk).takeUnretainedValue()
    path = UnsafeRawPointer(file).load(fromByteOffset: Self.pathOffset, as: UnsafePointer<CChar>?.self)
  }

  private static func real(_ file: File) -> File {
    (UnsafeMutableRawPointer(file) + headerSize).assumingMemoryBound(to: sqlite3_file.self)
  }

  // SAFETY: SQLite keeps the path until the file is closed.
  static func open(
    _ file: File, at path: UnsafePointer<CChar>?, on disk: FaultyDisk, _ open: (File) -> Int32
  ) -> Int32 {
    file.pointee.pMethods = nil
    let real = real(file)
    real.pointee.pMethods = nil
    let code = open(real)
    guard code == SQLITE_OK else {
      if let methods = real.pointee.pMethods { _ = methods.pointee.xClose(real) }
      return code
    }
    UnsafeMutableRawPointer(file).storeBytes(
      of: UnsafeRawPointer(Unmanaged.passUnretained(disk).toOpaque()), toByteOffset: diskOffset,
      as: UnsafeRawPointer.self)
    UnsafeMutableRawPointer(file).storeBytes(
      of: path, toByteOffset: pathOffset, as: UnsafePointer<CChar>?.self)
    file.pointee.pMethods = FaultyFile.table
    return SQLITE_OK
  }

  // SAFETY: filled once, before any file is open, and only read afterwards.
  nonisolated(unsafe) private static let table: UnsafePointer<sqlite3_io_methods> = {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: sqlite3_io_methods())
    // The second version has the shared memory of write-ahead logs; the third would add memory maps.
    table.pointee.iVersion = 2
    addChanges(&table.pointee)
    addReads(&table.pointee)
    addLocks(&table.pointee)
    return UnsafePointer(table)
  }()

  /// What may fail.
  private static func addChanges(_ table: inout sqlite3_io_methods) {
    table.xWrite = { file, bytes, count, offset in
      guard let file = FaultyFile(file) else { return SQLITE_MISUSE }
      guard let code = file.disk.begin(.write) else { return file.methods.xWrite(file.real, bytes, count, offset) }
      if code != SQLITE_FULL { _ = file.methods.xWrite(file.real, bytes, count / 2, offset) }
      return code
    }
    table.xTruncate = { file, size in
      guard let file = FaultyFile(file) else { return SQLITE_MISUSE }
      return file.disk.begin(.truncate) ?? file.methods.xTruncate(file.real, size)
    }
    table.xSync = { file, flags in
      guard let file = FaultyFile(file) else { return SQLITE_MISUSE }
      if let code = file.disk.begin(.synchronize) { return code }
      let code = file.methods.xSync(file.real, flags)
      if code == SQLITE_OK, let path = file.path { file.disk.noteSynchronized(String(cString: path)) }
      return code
    }
  }

  private static func addReads(_ table: inout sqlite3_io_methods) {
    table.xClose = { file in
      FaultyFile(file).map { $0.methods.xClose($0.real) } ?? SQLITE_MISUSE
    }
    table.xRead = { file, bytes, count, offset in
      FaultyFile(file).map { $0.methods.xRead($0.real, bytes, count, offset) } ?? SQLITE_MISUSE
    }
    table.xFileSize = { file, size in
      FaultyFile(file).map { $0.methods.xFileSize($0.real, size) } ?? SQLITE_MISUSE
    }
    table.xFileControl = { file, operation, argument in
      FaultyFile(file).map { $0.methods.xFileControl($0.real, operation, argument) } ?? SQLITE_MISUSE
    }
    table.xSectorSize = { file in FaultyFile(file).map { $0.methods.xSectorSize($0.real) } ?? 4096 }
    table.xDeviceCharacteristics = { file in
      FaultyFile(file).map { $0.methods.xDeviceCharacteristics($0.real) } ?? 0
    }
  }

  private static func addLocks(_ table: inout sqlite3_io_methods) {
    table.xLock = { file, kind in FaultyFile(file).map { $0.methods.xLock($0.real, kind) } ?? SQLITE_MISUSE }
    table.xUnlock = { file, kind in FaultyFile(file).map { $0.methods.xUnlock($0.real, kind) } ?? SQLITE_MISUSE }
    table.xCheckReservedLock = { file, result in
      FaultyFile(file).map { $0.methods.xCheckReservedLock($0.real, result) } ?? SQLITE_MISUSE
    }
    table.xShmMap = { file, page, size, extends, address in
      guard let file = FaultyFile(file) else { return SQLITE_MISUSE }
      if file.disk.refusesNewFiles { return SQLITE_CANTOPEN }
      return file.methods.xShmMap(file.real, page, size, extends, address)
    }
    table.xShmLock = { file, offset, count, flags in
      FaultyFile(file).map { $0.methods.xShmLock($0.real, offset, count, flags) } ?? SQLITE_MISUSE
    }
    table.xShmBarrier = { file in
      if let file = FaultyFile(file) { file.methods.xShmBarrier(file.real) }
    }
    table.xShmUnmap = { file, deletes in
      FaultyFile(file).map { $0.methods.xShmUnmap($0.real, deletes) } ?? SQLITE_MISUSE
    }
  }
}
