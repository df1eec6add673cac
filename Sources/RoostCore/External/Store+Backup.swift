package import Foundation
import RoostEngine

extension Store {
  /// Copies the store as it is now to another place, with the files that its rows name.
  ///
  /// Nobody can save meanwhile: a save would remove files that the copy needs.
  package func backup(to url: URL) throws {
    try SwiftDataError.translating {
      let copy = try Connection(
        ConnectionOptions(location: .file(path: url.path), makesWriteAheadLog: false, key: pool.options.key))
      defer { copy.close() }
      try pool.write { connection in
        try connection.transaction(.immediate) {
          if let files { try copyFiles(files, to: ExternalFiles(of: url), connection) }
          try pool.backup(to: copy)
        }
      }
      // Others may have a store there open, and it works as well with its log.
      try? copy.endWriteAheadLog()
    }
  }

  /// The files come first: a crash may leave some that no row names, but no row without its file.
  private func copyFiles(_ files: ExternalFiles, to copies: ExternalFiles, _ connection: Connection) throws {
    do {
      try files.copy(try referenced(connection), to: copies)
    } catch let error as ExternalFileError {
      throw SwiftDataError(
        .storeInputOutput, "A value's file could not be copied.", remedy: "Restore it, or delete its row.",
        underlying: error.underlying, url: error.url)
    }
  }
}
