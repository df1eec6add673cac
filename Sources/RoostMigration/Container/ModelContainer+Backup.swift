public import Foundation
public import RoostCore

extension ModelContainer {
  /// Copies the store as it is now to another place, with the files of its `.externalStorage` values.
  ///
  /// The copy is a store of its own, opened by a configuration with that `url`. Fetches go on meanwhile, saves wait.
  /// ```swift
  /// try container.backup(to: folder.appending(path: "notes-2026-11.store"))
  /// ```
  /// - Parameter url: the copy's file, in a folder that exists. A store that is there is replaced, also one
  ///   that has another key than this one. A new file may be read by whoever may read the store's.
  /// - Throws: ``SwiftDataError``, such as ``SwiftDataError/storeFull``, or ``SwiftDataError/storeInputOutput`` when a
  ///   value's file is gone.
  /// - Source: [SQLite's online backup](https://www.sqlite.org/backup.html).
  public func backup(to url: URL) throws { try store.backup(to: url) }
}
