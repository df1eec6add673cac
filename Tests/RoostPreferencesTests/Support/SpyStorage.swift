import Foundation
import Synchronization

@testable import RoostPreferences

/// A file that nobody watches, and whose writes are counted.
final class SpyStorage: PreferenceStorage {
  private let file: any PreferenceStorage
  private let saves = Mutex(0)

  init(_ url: URL) { file = Preferences.storage(at: url) }

  var url: URL? { file.url }
  var saveCount: Int { saves.withLock { $0 } }

  func load() throws(PreferencesError) -> LoadedPreferences { try file.load() }

  func save(
    _ changes: [String: JSONValue?], known: [String: JSONValue]
  ) throws(PreferencesError) -> LoadedPreferences {
    saves.withLock { $0 += 1 }
    return try file.save(changes, known: known)
  }

  func watch(_ onChange: @escaping @Sendable () -> Void) {}
}
