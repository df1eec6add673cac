#if !os(Windows)
  import Foundation
  import Synchronization

  /// Preferences in a file, which several processes change.
  final class PreferenceFile: PreferenceStorage {
    private let file: SharedFile
    private let watched = Mutex(Watched())

    private struct Watched {
      var watch: FolderWatch?
      var onChange: (@Sendable () -> Void)?
      /// Whether the folder that was watched is gone.
      var isLost = false
    }

    /// The file itself where it is a link, as it is where a user's settings are kept in one folder.
    init(_ url: URL) { file = SharedFile(url: url.standardizedFileURL.resolvingSymlinksInPath()) }

    var url: URL? { file.url }

    func load() throws(PreferencesError) -> LoadedPreferences {
      // Before the look, so that nothing is missed behind it.
      let problem = watchAgain()
      var loaded = try read()
      loaded.problem = loaded.problem ?? problem
      return loaded
    }

    func save(
      _ changes: [String: JSONValue?], known: [String: JSONValue]
    ) throws(PreferencesError) -> LoadedPreferences {
      try file.locked { () throws(PreferencesError) in
        // The folder is there now, though somebody may have removed it.
        _ = watchAgain()
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
      watched.withLock { $0.onChange = onChange }
      guard let watch = makeWatch(onChange) else {
        throw unwatched("Raise its limits of watches and open files (on Linux \(Self.limit)).")
      }
      watched.withLock { $0.watch = watch }
    }

    private static let limit = "fs.inotify.max_user_instances"

    private func makeWatch(_ onChange: @escaping @Sendable () -> Void) -> FolderWatch? {
      FolderWatch(file.folder, name: file.url.lastPathComponent, onChange) { [weak self] in
        self?.watched.withLock { $0.isLost = true }
        // The look that follows watches again where there is a folder.
        onChange()
      }
    }

    /// Watches the folder that is in the place of one that was removed, and says so where there is none.
    private func watchAgain() -> PreferencesError? {
      let lost = watched.withLock { watched -> (@Sendable () -> Void)? in
        defer { watched.isLost = false }
        return watched.isLost ? watched.onChange : nil
      }
      guard let onChange = lost else { return nil }
      guard let watch = makeWatch(onChange) else {
        watched.withLock { $0.isLost = true }
        return unwatched("Leave the folder where it is; the next write makes it anew.")
      }
      watched.withLock { $0.watch = watch }
      return nil
    }

    private func unwatched(_ remedy: String) -> PreferencesError {
      PreferencesError(
        .notWatched, "The system does not tell what other processes change.", remedy: remedy, url: url)
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
