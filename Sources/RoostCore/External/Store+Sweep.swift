import Logging
import RoostEngine

extension Store {
  /// Removes the files that no row names: those of saves that a crash cut off, and of rows that others deleted.
  ///
  /// A save writes its files within its transaction. Whoever has the write lock therefore knows that each file without
  /// a row is nobody's, in this process or another, and it stays so: names are never used again.
  func sweepFiles() {
    guard let files, configuration.allowsSave else { return }
    do {
      // Mostly there is none, and nobody has to wait for the lock.
      let present = try files.names()
      if present.isEmpty { return }
      let suspects = try pool.read { try present.subtracting(referenced($0)) }
      if suspects.isEmpty { return }
      try pool.write { connection in
        let unused = try fullySynchronized(connection) {
          try connection.transaction(.immediate) {
            // Something must be written for the commit to reach the disk.
            try StoreCatalog(connection).touch()
            return try unreferenced(suspects, connection)
          }
        }
        for name in unused { files.remove(name) }
      }
    } catch {
      logger.warning("Looking for files without rows failed", metadata: ["error": "\(error)"])
    }
  }
}
