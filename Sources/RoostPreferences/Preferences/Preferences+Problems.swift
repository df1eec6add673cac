import Logging
import Synchronization

extension Preferences {
  /// What went wrong where nobody could catch it, each kind once a key: the last of them, in the order of their first.
  ///
  /// Each is also written to the log "roost" when it first happens.
  public var problems: [PreferencesError] { state.withLock { $0.problems } }

  func report(_ problem: PreferencesError) {
    let isNew = state.withLock { state in
      if let index = state.problems.firstIndex(where: { $0.code == problem.code && $0.key == problem.key }) {
        state.problems[index] = problem
        return false
      }
      state.problems.append(problem)
      return true
    }
    if isNew { Logger(label: "roost").warning("\(problem)") }
  }
}
