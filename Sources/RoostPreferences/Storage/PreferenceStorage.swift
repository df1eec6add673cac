import Foundation
import Synchronization

/// Where preferences are kept.
protocol PreferenceStorage: Sendable {
  /// The file, where it is one.
  var url: URL? { get }

  /// Reads all, and changes nothing: a file that is damaged stays until another is written.
  ///
  /// - Returns: the values, and what was wrong with the file.
  /// - Throws: where nobody knows what is there.
  func load() throws(PreferencesError) -> LoadedPreferences

  /// Changes some, and leaves what others have written.
  ///
  /// - Parameters:
  ///   - changes: the values; nil for those that are removed.
  ///   - known: all values that the program knows, for a file that has lost them.
  /// - Returns: all values that are there now.
  /// - Throws: where they could not be written.
  func save(
    _ changes: [String: JSONValue?], known: [String: JSONValue]
  ) throws(PreferencesError) -> LoadedPreferences

  /// Tells of changes by other processes, for as long as the storage is there.
  ///
  /// - Parameter onChange: called by any thread after a change, and sometimes without one.
  /// - Throws: where the system does not tell.
  func watch(_ onChange: @escaping @Sendable () -> Void) throws(PreferencesError)
}

/// What was read.
struct LoadedPreferences {
  /// Nil where the file has none that can be read: it is damaged, or was just emptied to be written anew.
  var values: [String: JSONValue]?
  var problem: PreferencesError?
}

/// Preferences that are gone with the program, and why.
final class MemoryPreferences: PreferenceStorage {
  /// Why there is no file, though there should be one.
  private let problem: PreferencesError?
  private let values = Mutex<[String: JSONValue]>([:])
  var url: URL? { nil }

  init(_ problem: PreferencesError? = nil) { self.problem = problem }

  func load() throws(PreferencesError) -> LoadedPreferences { LoadedPreferences(problem: problem) }

  func save(
    _ changes: [String: JSONValue?], known: [String: JSONValue]
  ) throws(PreferencesError) -> LoadedPreferences {
    // The preferences have the values, and keep them as unwritten.
    if let problem { throw problem }
    return values.withLock { values in
      for (name, value) in changes { values[name] = value }
      return LoadedPreferences(values: values)
    }
  }

  func watch(_ onChange: @escaping @Sendable () -> Void) {}
}
