#if !os(Windows)
  import Foundation
  import Synchronization

  /// Preferences in a file, which several processes change.
  final class PreferenceFile: PreferenceStorage {
    private let file: SharedFile
    private let watched = Mutex<FolderWatch?>(nil)

    /// The file itself where it is a link, as it is where a user's settings are kept in one folder.
    init(_ url: URL) { file = SharedFile(url: url.standardizedFileURL.resolvingSymlinksInPath()) }

    var url: URL? { file.url }

    func load() throws(PreferencesError) -> LoadedPreferences { try read() }

    func save(
      _ changes: [String: JSONValue?], known: [String: JSONValue]
    ) throws(PreferencesError) -> LoadedPreferences {
      try file.locked { () throws(PreferencesError) in
        var loaded = try read()
        var values = loaded.values ?? known
        for (name, value) in changes { values[name] = value }
        if values == loaded.values { return loaded }
        loaded.values = values
        let bytes: Data
        do {
          bytes = try JSONValue.document(values)
        } catch {
          throw file.unwritable("they have no JSON")
        }
        guard loaded.problem != nil else {
          try file.replace(with: bytes)
          return loaded
        }
        let aside = try file.setAside(whileReplacing: bytes)
        loaded.problem = PreferencesError(
          .damagedFile, "The file of preferences was no JSON object, and is \(aside.path) now.",
          remedy: "Mend that file and put it back while no program runs, or remove it.", url: url)
        return loaded
      }
    }

    func watch(_ onChange: @escaping @Sendable () -> Void) throws(PreferencesError) {
      // A folder that cannot be made has nothing to watch, and the first write says so.
      guard file.makeFolder() else { return }
      guard let watch = FolderWatch(file.folder, name: file.url.lastPathComponent, onChange) else {
        throw PreferencesError(
          .notWatched, "The system does not tell what other processes change.",
          remedy: "Raise its limits of watches and open files (on Linux fs.inotify.max_user_instances).", url: url)
      }
      watched.withLock { $0 = watch }
    }

    // MARK: - What is there

    private func read() throws(PreferencesError) -> LoadedPreferences {
      guard let bytes = try file.read() else { return LoadedPreferences(values: [:]) }
      if bytes.isEmpty { return LoadedPreferences() }
      if let values = try? JSONDecoder().decode([String: JSONValue].self, from: bytes) {
        return LoadedPreferences(values: values)
      }
      return LoadedPreferences(
        problem: PreferencesError(
          .damagedFile, "The file of preferences is no JSON object.",
          remedy: "Mend it, or let it be: it is set aside before another is written.", url: url))
    }
  }
#endif
