public import Foundation

extension ModelConfiguration {
  /// Where a configuration of that name keeps its store unless it is told otherwise.
  ///
  /// On Linux `$XDG_DATA_HOME/<program>/<name>.store`, or `~/.local/share/…` without that variable; elsewhere the
  /// application support folder. The folder is made when the store is opened.
  ///
  /// Source: XDG Base Directory Specification, version 0.8: a relative `$XDG_DATA_HOME` is to be ignored.
  public static func defaultURL(named name: String = "default") -> URL {
    defaultURL(named: name, in: .automatic)
  }

  static func defaultURL(named name: String, in group: GroupContainer) -> URL {
    folder(of: group).appendingPathComponent("\(name).store", isDirectory: false)
  }

  /// `/dev/null` as SwiftData has it, told apart by the fragment so that no two stores in memory share an identity.
  static func inMemoryURL() -> URL {
    let null = URL(fileURLWithPath: "/dev/null", isDirectory: false)
    return URL(string: "\(null.absoluteString)#\(UUID().uuidString)") ?? null
  }

  /// Whether a URL is the place of a store in memory.
  static func isInMemory(_ url: URL) -> Bool { url.path == "/dev/null" && url.fragment != nil }

  private static func folder(of group: GroupContainer) -> URL {
    #if canImport(Darwin)
      if let identifier = group.identifier,
        let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
      {
        return folder.appendingPathComponent("Library/Application Support", isDirectory: true)
      }
    #endif
    return applicationSupportFolder(
      environment: ProcessInfo.processInfo.environment, program: ProcessInfo.processInfo.processName)
  }

  static func applicationSupportFolder(environment: [String: String], program: String) -> URL {
    #if canImport(Darwin) || os(Windows) || os(Android)
      let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      #if canImport(Darwin)
        // Sandboxed programs have the folder to themselves, and SwiftData puts its file straight there.
        return folder ?? FileManager.default.temporaryDirectory
      #else
        return (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent(program, isDirectory: true)
      #endif
    #else
      let data: URL
      if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
        data = URL(fileURLWithPath: path, isDirectory: true)
      } else {
        let home =
          environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
          ?? FileManager.default.homeDirectoryForCurrentUser
        data = home.appendingPathComponent(".local/share", isDirectory: true)
      }
      return data.appendingPathComponent(program, isDirectory: true)
    #endif
  }
}
