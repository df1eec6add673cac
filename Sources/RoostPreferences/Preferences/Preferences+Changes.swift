public import Observation
import Synchronization

extension Preferences: Observable {
  /// What observers of one key look at.
  subscript(observed name: String) -> Bool { false }

  /// Makes values others, or removes them, and tells of those that differ.
  ///
  /// - Parameters:
  ///   - changes: the values; nil for those that are removed.
  ///   - number: the look at the file that they are from; nil for those that this process sets.
  func change(_ changes: [String: StoredPreference?], read number: Int? = nil) {
    let (names, untold) = state.withLock { state in
      guard state.shows(number) else { return ([String](), [String]()) }
      let names = changes.filter { name, value in
        (number == nil || state.pending[name] == nil) && state.values[name]?.json != value?.json
      }.map(\.key)
      // An observer that writes as it is told, and so has the file looked at, would be told for ever.
      return (names, names.filter { state.announced.insert($0).inserted })
    }
    if names.isEmpty && number != nil { return }
    // Not under the lock: an observer may look at the value now.
    for name in untold { registrar.willSet(self, keyPath: \.[observed: name]) }
    // The former values come out of the lock: with them may go objects of the program, whose
    // deinit may use the preferences.
    let (mustSchedule, _) = state.withLock { state -> (Bool, [StoredPreference]) in
      state.announced.subtract(untold)
      guard state.shows(number) else { return (false, []) }
      var former: [StoredPreference] = []
      for name in names {
        // What this process has set since is newer than what it had read.
        if number != nil && state.pending[name] != nil { continue }
        if let value = state.values[name] { former.append(value) }
        state.values[name] = changes[name] ?? nil
      }
      guard number == nil else { return (false, former) }
      // What is shown already too: another process may have written what was not read yet, and the last write wins.
      for (name, value) in changes { state.pending.updateValue(value?.json, forKey: name) }
      if state.isScheduled { return (false, former) }
      state.isScheduled = true
      // Under the lock, or a write that ends now would take these for written.
      UnwrittenPreferences.shared.insert(self)
      return (true, former)
    }
    for name in names {
      registrar.didSet(self, keyPath: \.[observed: name])
      // Who was told, and looked on another thread before the value was there, would never look again.
      registrar.withMutation(of: self, keyPath: \.[observed: name]) {}
    }
    if !names.isEmpty { listeners.tell(Set(names)) }
    if mustSchedule { scheduleWrite() }
  }

  /// The names of the preferences that have changed, whoever changed them: from now on, and for each who asks.
  ///
  /// Who looks seldom is told of all at once. The sequence ends when nobody has the preferences
  /// any more, which it does not keep.
  ///
  /// ```swift
  /// for await names in preferences.changes where names.contains("theme") { redraw() }
  /// ```
  public var changes: Changes { listeners.listen() }
}

extension Preferences.State {
  /// Whether values of a look at the file are shown: those of a later look may have been already, by another thread.
  fileprivate mutating func shows(_ number: Int?) -> Bool {
    guard let number else { return true }
    lastRead = max(lastRead, number)
    return number == lastRead
  }
}
