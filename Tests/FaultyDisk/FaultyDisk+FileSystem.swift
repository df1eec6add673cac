import SQLiteLibrary
import Foundation

extension FaultyDisk {
  /// Makes the file system known to SQLite, for as long as the process lives: connections may outlive a test.
  func register() {
    guard let system = sqlite3_vfs_find(nil) else { return }
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: system.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup(name))
    copy.pointee.szOsFile = Int32(FaultyFile.headerSize) + system.pointee.szOsFile
    // The methods that stay the system's own do not look at this; where they might, they get the system's.
    copy.pointee.pAppData = Unmanaged.passRetained(self).toOpaque()
    copy.pointee.xOpen = { own, name, file, flags, outFlags in
      guard let system = sqlite3_vfs_find(nil), let disk = FaultyDisk.of(own), let file else { return SQLITE_MISUSE }
      if flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0, disk.refusesNewFiles { return SQLITE_CANTOPEN }
      return FaultyFile.open(file, at: name, on: disk) { real in
        system.pointee.xOpen(system, name, real, flags, outFlags)
      }
    }
    copy.pointee.xDelete = { own, name, synchronizes in
      guard let system = sqlite3_vfs_find(nil), let disk = FaultyDisk.of(own) else { return SQLITE_MISUSE }
      return disk.begin(.remove) ?? system.pointee.xDelete(system, name, synchronizes)
    }
    copy.pointee.xAccess = { _, name, flags, result in
      guard let system = sqlite3_vfs_find(nil) else { return SQLITE_MISUSE }
      return system.pointee.xAccess(system, name, flags, result)
    }
    copy.pointee.xFullPathname = { _, name, size, result in
      guard let system = sqlite3_vfs_find(nil) else { return SQLITE_MISUSE }
      return system.pointee.xFullPathname(system, name, size, result)
    }
    sqlite3_vfs_register(copy, 0)
  }

  private static func of(_ fileSystem: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultyDisk? {
    // SAFETY: `register` put a disk there, and never releases it.
    fileSystem?.pointee.pAppData.map { Unmanaged<FaultyDisk>.fromOpaque($0).takeUnretainedValue() }
  }
}
