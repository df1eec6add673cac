import Foundation
import RoostCore

/// What a migration and the backup before it need.
struct MigrationSpace {
  /// The bytes of the backup, if one is made.
  var backup: Int64 = 0
  /// The bytes of the tables that are made anew.
  var rebuilt: Int64

  /// New tables are written to the write-ahead log first and moved into the file, beside
  /// the old ones, when all is done.
  private var migration: Int64 { 2 * rebuilt }

  /// Throws ``SwiftDataError/storeFull`` when there is too little room. Nothing is asked for where nothing is needed.
  func check(_ configuration: ModelConfiguration, store: URL, backups: URL) throws {
    let free = configuration.storeOptions.migration.freeSpace ?? .ofSystem
    let folder = store.deletingLastPathComponent()
    if backup > 0, Disk.volume(of: folder) != Disk.volume(of: backups) {
      try check(migration, at: folder, store, free, "Make room there and open the store again.")
      try check(
        backup, at: backups, store, free,
        "Make room there, set storeOptions.migration.backupFolder to another folder, and open the store again.")
    } else {
      let elsewhere =
        backup > 0 ? ", or set storeOptions.migration.backupFolder to a folder on another disk" : ""
      try check(backup + migration, at: folder, store, free, "Make room there\(elsewhere), and open the store again.")
    }
  }

  private func check(_ needed: Int64, at folder: URL, _ store: URL, _ free: FreeSpace, _ remedy: String) throws {
    guard needed > 0, let available = free.bytes(folder), available < needed else { return }
    throw SwiftDataError(
      .storeFull,
      """
      The store must be migrated, which takes about \(Self.megabytes(needed, .up)) at \(folder.path), where \
      \(Self.megabytes(available, .down)) are free. Nothing was changed.
      """, remedy: remedy, url: store)
  }

  private static func megabytes(_ bytes: Int64, _ rule: FloatingPointRoundingRule) -> String {
    let tenths = (Double(bytes) / 100_000).rounded(rule)
    return "\(tenths / 10) MB"
  }
}
