import Foundation
import RoostEngine

extension Store {
  /// Copies the store as it is now to another place, with the files that its rows name.
  ///
  /// Nobody can save meanwhile: a save would remove files that the copy needs.
  func backup(to url: URL) throws {
    try SwiftDataError.translating {
      let copy = try Connection(ConnectionOptions(location: .file(path: url.path)))
      defer { copy.close() }
      try pool.write { connection in
        try connection.transaction(.immediate) {
          if let files { try copyFiles(files, to: ExternalFiles(of: url), connection) }
          // A connection with the write lock cannot be copied from.
          let source = try pool.checkout()
          defer { pool.checkin(source) }
          try pool.use(source) { try source.backup(to: copy) }
        }
      }
    }
  }

  /// The files come first: a crash may leave some that no row names, but no row without its file.
  private func copyFiles(_ files: ExternalFiles, to copies: ExternalFiles, _ connection: Connection) throws {
    let names = try referenced(connection)
    if names.isEmpty { return }
    do {
      for name in names { try files.copy(name, to: copies) }
      try copies.synchronizeFolder()
    } catch {
      throw SwiftDataError(
        .storeInputOutput, "A value's file could not be copied.", remedy: "Restore it, or delete its row.",
        underlying: error.underlying, url: error.url)
    }
  }
}
