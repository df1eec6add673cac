import RoostEngine

// The store itself knows which backups are to be kept: a migration that is cut off keeps none.
extension Connection {
  private static let prefix = "kept "

  /// The names of the backups that nobody but the user removes.
  func keptBackups() throws -> Set<String> {
    Set(try strings("SELECT substr(key, \(Self.prefix.count + 1)) FROM _roost_meta WHERE key GLOB '\(Self.prefix)*'"))
  }

  /// Notes that a backup is to be kept.
  func keep(_ backup: String) throws { try StoreSetup.set(Self.prefix + backup, "", self) }
}
