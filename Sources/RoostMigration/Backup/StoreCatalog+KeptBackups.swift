import RoostCore
import RoostEngine

// The store itself knows which backups are to be kept: a migration that is cut off keeps none.
extension StoreCatalog {
  private static let kept = "kept "

  /// The names of the backups that nobody but the user removes.
  func keptBackups() throws -> Set<String> { Set(try names(after: Self.kept)) }

  /// Notes that a backup is to be kept.
  func keep(_ backup: String) throws { try set(Key(Self.kept + backup), "") }
}
