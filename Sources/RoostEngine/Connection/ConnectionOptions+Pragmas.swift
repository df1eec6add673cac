extension ConnectionOptions {
  /// Whether the database is a file.
  var isFile: Bool {
    if case .file = location { true } else { false }
  }

  /// Whether connections keep a write-ahead log. A database in memory cannot.
  var usesWriteAheadLog: Bool { isFile && mode != .readOnly && makesWriteAheadLog }

  /// How many bytes of the file are mapped. Those of an encrypted file are read to be decrypted.
  var mappedBytes: Int64 { isFile && key == nil ? max(memoryMapSize, 0) : 0 }

  /// Whether SQLite may put what it sorts, and temporary tables, into files. It would put the plain values of an
  /// encrypted database there.
  var maySpill: Bool { isFile && key == nil }

  /// A page of an encrypted file costs more to read again than to keep.
  private static var encryptedCacheKilobytes: Int { 65_536 }

  /// The statements that set a new connection up, after its busy handler and its journal.
  var pragmas: String {
    var statements = [
      "PRAGMA synchronous=\(synchronous.rawValue)",
      "PRAGMA temp_store=MEMORY",
      "PRAGMA foreign_keys=\(foreignKeys ? 1 : 0)",
      "PRAGMA wal_autocheckpoint=\(walAutoCheckpointPages)",
      "PRAGMA mmap_size=\(mappedBytes)",
    ]
    // A negative size counts in kibibytes, a positive one in pages.
    if let cacheKilobytes = cacheKilobytes ?? (key == nil ? nil : Self.encryptedCacheKilobytes) {
      statements.append("PRAGMA cache_size=\(-max(cacheKilobytes, 0))")
    }
    return statements.joined(separator: ";")
  }
}
