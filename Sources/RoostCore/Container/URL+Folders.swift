#if !canImport(Darwin)
  public import Foundation

  // Should Foundation have them one day, those are the ones that a program gets.
  extension URL {
    /// The user's folder for documents.
    @_disfavoredOverload public static var documentsDirectory: URL { folder(.documentDirectory) }

    /// The folder for what programs keep for the user: `XDG_DATA_HOME`, or `~/.local/share`.
    @_disfavoredOverload public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }

    /// The folder for what programs can make again: `XDG_CACHE_HOME`, or `~/.cache`.
    @_disfavoredOverload public static var cachesDirectory: URL { folder(.cachesDirectory) }

    private static func folder(_ folder: FileManager.SearchPathDirectory) -> URL {
      FileManager.default.urls(for: folder, in: .userDomainMask).first ?? homeDirectory
    }
  }
#endif
