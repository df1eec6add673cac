public import Foundation
import Observation
import Synchronization

/// What a user has chosen in a program: small values by name, in a file that people can read.
///
/// ```swift
/// @Preference("sort") var sort = Sort.newest
///
/// Preferences.standard[.showsSidebar] = false
/// ```
/// A value is seen at once by the program and soon by other processes that have the same file. Many that are set in a
/// row are one write, a tenth of a second later. ``flush()`` writes at once, and so does a program that ends by itself;
/// one that is killed or crashes loses what it set in the last tenth of a second. Processes that set different keys
/// both win; of the same key the last write wins.
///
/// What cannot be written is still there until the program ends, and ``problems`` says why.
///
/// Not for much (100 KB a value, 500 KB in all: a store or a file has more), and not for
/// secrets (`RoostVault` has them).
public final class Preferences: Sendable {
  let storage: any PreferenceStorage
  let state: Mutex<State>
  let registrar = ObservationRegistrar()
  let listeners = PreferenceListeners()
  /// One write or look at the file at a time, and how many there were.
  let access = Mutex(0)
  let delay: Duration
  static let queue = DispatchQueue(label: "roost.preferences")

  struct State {
    var values: [String: StoredPreference] = [:]
    /// What is set and not written yet; nil for what is removed.
    var pending: [String: JSONValue?] = [:]
    var isScheduled = false
    /// Those whose observers are being told that they will change.
    var announced: Set<String> = []
    /// The number of the last look at the file whose values are shown.
    var lastRead = 0
    var problems: [PreferencesError] = []
  }

  init(_ storage: any PreferenceStorage, delay: Duration = .milliseconds(100)) {
    self.storage = storage
    self.delay = delay
    state = Mutex(State())
    // Before the first look, or nobody would tell of what others write in between.
    do {
      try storage.watch { [weak self] in
        Self.queue.async { [weak self] in self?.reload() }
      }
    } catch {
      report(error)
    }
    reload()
  }

  /// The preferences of the program: its `UserDefaults` on Apple's platforms, a file elsewhere.
  ///
  /// The file is `$XDG_CONFIG_HOME/PROGRAM/preferences.json`, with `~/.config` where that is not set. Where there is no
  /// home either, values are kept in memory, and ``flush()`` throws ``PreferencesError/noFolder``.
  public static let standard = Preferences(standardStorage())

  /// Preferences in a file of your own.
  ///
  /// - Parameter url: the file. The folder is made if it is not there.
  public convenience init(at url: URL) { self.init(Self.storage(at: url)) }

  /// Preferences that are gone with the program: for tests and previews.
  ///
  /// - Returns: preferences of which none is set.
  public static func inMemory() -> Preferences { Preferences(MemoryPreferences()) }
}
