import Foundation

extension Preferences {
  /// The program's own, by the rules of the platform.
  static func standardStorage(
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    program: String = ProcessInfo.processInfo.processName
  ) -> any PreferenceStorage {
    #if canImport(Darwin)
      UserDefaultsPreferences()
    #else
      guard let folder = folder(environment) else {
        return MemoryPreferences(
          PreferencesError(
            .noFolder, "Neither XDG_CONFIG_HOME nor HOME is an absolute path, so the preferences are in memory alone.",
            remedy: "Set HOME for this program, or use `Preferences(at:)`."))
      }
      return storage(at: folder.appending(path: "\(program)/preferences.json"))
    #endif
  }

  /// By the XDG Base Directory Specification, which has paths ignored that are not absolute.
  private static func folder(_ environment: [String: String]) -> URL? {
    if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return URL(filePath: path) }
    if let home = environment["HOME"], home.hasPrefix("/") { return URL(filePath: home).appending(path: ".config") }
    return nil
  }

  static func storage(at url: URL) -> any PreferenceStorage {
    #if os(Windows)
      MemoryPreferences(
        PreferencesError(
          .noFolder, "Roost cannot write preferences on this platform yet, so they are in memory alone.",
          remedy: "Keep them in a store."))
    #else
      PreferenceFile(url)
    #endif
  }
}
