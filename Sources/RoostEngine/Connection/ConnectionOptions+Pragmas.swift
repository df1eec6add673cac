extension ConnectionOptions {
  /// Whether the database is a file.
  var isFile: Bool {
    if case .file = location { true } else { false }
  }

  /// Whether connections keep a write-ahead log. A database in memory cannot.
  var usesWriteAheadLog: Bool { isFile && mode != .readOnly && makesWriteAheadLog }

  /// The statements that set a new connection up, after its busy handler and its journal.
  var pragmas: String {
    var statements = [
      "PRAGMA synchronous=\(synchronous.rawValue)",
      "PRAGMA temp_store=MEMORY",
      "PRAGMA foreign_keys=\(foreignKeys ? 1 : 0)",
      "PRAGMA wal_autocheckpoint=\(walAutoCheckpointPages)",
      "PRAGMA mmap_size=\(isFile ? max(memoryMapSize, 0) : 0)",
    ]
    // A negative size counts in kibibytes, a positive one in pages.
    if let cacheKilobytes { statements.append("PRAGMA cache_size=\(-max(cacheKilobytes, 0))") }
    return statements.joined(separator: ";")
  }
}
