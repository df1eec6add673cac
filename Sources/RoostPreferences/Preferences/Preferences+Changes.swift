public import Observation
import Synchronization

extension Preferences: Observable {
  /// What observers of one key look at.
  subscript(observed name: String) -> Bool { false }

  /// Makes values others, or removes them, and tells of those that differ.
  ///
  /// - Parameters:
  ///   - changes: the values; nil for those that are removed.
  ///   - isOwn: whether this process sets them, or has read them.
  func change(_ changes: [String: StoredPreference?], isOwn: Bool) {
    let names = state.withLock { state in
      changes.filter { name, value in
        if !isOwn && state.pending[name] != nil { return false }
        return state.values[name]?.json != value?.json
      }.map(\.key)
    }
    if names.isEmpty { return }
    // Not under the lock: an observer may look at the value now.
    for name in names { registrar.willSet(self, keyPath: \.[observed: name]) }
    let mustSchedule = state.withLock { state in
      for name in names {
        // What this process has set since is newer than what it had read.
        if !isOwn && state.pending[name] != nil { continue }
        let value = changes[name] ?? nil
        state.values[name] = value
        if isOwn { state.pending.updateValue(value?.json, forKey: name) }
      }
      guard isOwn, !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    for name in names {
      registrar.didSet(self, keyPath: \.[observed: name])
      // Who was told, and looked on another thread before the value was there, would never look again.
      registrar.withMutation(of: self, keyPath: \.[observed: name]) {}
    }
    listeners.tell(Set(names))
    if mustSchedule { scheduleWrite() }
  }

  /// The names of the preferences that have changed, whoever changed them: from now on, and for each who asks.
  ///
  /// Who looks seldom is told of all at once.
  ///
  /// ```swift
  /// for await names in preferences.changes where names.contains("theme") { redraw() }
  /// ```
  public var changes: Changes { listeners.listen() }
}
