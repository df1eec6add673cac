import Dispatch
import Foundation
import Synchronization

extension Preferences {
  /// Writes what is not written yet.
  ///
  /// - Throws: ``PreferencesError/unwritableFile`` and its like: the values stay in memory,
  ///   and the next write tries again.
  public func flush() throws(PreferencesError) {
    let result: Result<Look?, PreferencesError> = access.withLock { count in
      Result { () throws(PreferencesError) in
        count += 1
        return try write(count).map { Look(number: count, loaded: $0) }
      }
    }
    if let look = try result.get() { take(look) }
  }

  func scheduleWrite() {
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
    let result: Result<Look, PreferencesError> = access.withLock { count in
      Result { () throws(PreferencesError) in
        let loaded = try storage.load()
        count += 1
        return Look(number: count, loaded: loaded)
      }
    }
    switch result {
    case .success(let look): take(look)
    case .failure(let problem): report(problem)
    }
  }

  /// Nil if there is nothing to write.
  private func write(_ number: Int) throws(PreferencesError) -> LoadedPreferences? {
    let (pending, known) = state.withLock { state in
      state.isScheduled = false
      return (state.pending, state.values.mapValues(\.json))
    }
    if pending.isEmpty { return nil }
    let written = try storage.save(pending, known: known)
    state.withLock { state in
      for (name, value) in pending where state.pending[name] == .some(value) { state.pending[name] = nil }
      if state.pending.isEmpty { UnwrittenPreferences.shared.remove(self) }
      // An earlier look, which is yet to be shown, lacks what was written.
      state.lastRead = max(state.lastRead, number)
    }
    return written
  }

  /// What the file had, and the how many-th look at it that was.
  private struct Look {
    let number: Int
    let loaded: LoadedPreferences
  }

  /// Shows what the file has. Not while the file is held: an observer may write when it is told.
  private func take(_ look: Look) {
    if let problem = look.loaded.problem { report(problem) }
    // Where there are no values, somebody may be in the middle of editing the file. What was read before stays.
    guard let values = look.loaded.values else { return }
    let known = state.withLock { $0.values.mapValues(\.json) }
    var changes: [String: StoredPreference?] = [:]
    for (name, value) in values where known[name] != value { changes[name] = StoredPreference(value) }
    for name in known.keys where values[name] == nil { changes.updateValue(nil, forKey: name) }
    change(changes, read: look.number)
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
