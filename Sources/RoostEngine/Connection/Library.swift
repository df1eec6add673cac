internal import SQLiteLibrary

/// The SQLite library itself, as this process has it.
package enum Library {
  /// The version of the SQLite library, such as "3.40.1".
  package static var version: String { String(cString: sqlite3_libversion()) }

  private static let configured: Void = {
    // Refused if other code in this process opened a database first; then only speed is lost.
    _ = roost_sqlite3_disable_memory_statistics()
    #if Encryption
      roost_sqlcipher_keep_crypto_at_exit()
    #endif
  }()

  /// Sets the library up, once, before the first connection is opened.
  static func configure() { configured }
}
