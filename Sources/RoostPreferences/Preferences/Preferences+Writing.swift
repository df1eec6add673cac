import Dispatch
import Foundation
import Synchronization

extension Preferences {
  /// Writes what is not written yet.
  ///
  /// - Throws: ``PreferencesError/unwritableFile`` and its like: the values stay in memory, and the next write tries again.
  public func flush() throws(PreferencesError) {
    let result: Result<Void, PreferencesError> = access.withLock { _ in
      Result { () throws(PreferencesError) in try write() }
    }
    try result.get()
  }

  func scheduleWrite() {
    UnwrittenPreferences.shared.insert(self)
    let seconds = Double(delay.components.seconds) + Double(delay.components.attoseconds) / 1e18
    Self.queue.asyncAfter(deadline: .now() + seconds) { [self] in
      do throws(PreferencesError) {
        try flush()
      } catch {
        report(error)
      }
    }
  }

  /// Looks at what other processes have written.
  func reload() {
    let loaded: LoadedPreferences? = access.withLock { _ in
      do throws(PreferencesError) {
        return try storage.load(setsAside: false)
      } catch {
        report(error)
        return nil
      }
    }
    if let problem = loaded?.problem { report(problem) }
    // Where there are none, somebody may be in the middle of editing the file. What was read before stays.
    if let values = loaded?.values { take(values) }
  }

  private func write() throws(PreferencesError) {
    let (pending, known) = state.withLock { state in
      state.isScheduled = false
      return (state.pending, state.values.mapValues(\.json))
    }
    if pending.isEmpty { return UnwrittenPreferences.shared.remove(self) }
    let written = try storage.save(pending, known: known)
    let isWritten = state.withLock { state in
      for (name, value) in pending where state.pending[name] == .some(value) { state.pending[name] = nil }
      return state.pending.isEmpty
    }
    if isWritten { UnwrittenPreferences.shared.remove(self) }
    if let problem = written.problem { report(problem) }
    if let values = written.values { take(values) }
  }

  /// Shows what the file has.
  private func take(_ values: [String: JSONValue]) {
    let known = state.withLock { $0.values.mapValues(\.json) }
    var changes: [String: StoredPreference?] = [:]
    for (name, value) in values where known[name] != value { changes[name] = StoredPreference(value) }
    for name in known.keys where values[name] == nil { changes.updateValue(nil, forKey: name) }
    change(changes, isOwn: false)
  }
}

/// The preferences that have something to write, which a program that ends writes first.
final class UnwrittenPreferences: Sendable {
  static let shared = UnwrittenPreferences()
  private let all = Mutex<[ObjectIdentifier: Preferences]>([:])

  private init() {
    atexit {
      for preferences in UnwrittenPreferences.shared.all.withLock({ Array($0.values) }) {
        do throws(PreferencesError) {
          try preferences.flush()
        } catch {
          preferences.report(error)
        }
      }
    }
  }

  func insert(_ preferences: Preferences) { all.withLock { $0[ObjectIdentifier(preferences)] = preferences } }
  func remove(_ preferences: Preferences) {
    all.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(preferences)) }
  }
}
