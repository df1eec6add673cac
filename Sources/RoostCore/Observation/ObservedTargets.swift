import Synchronization

/// The models that relationships have shown to whoever tracks changes, each kept alive with the relationship's owner.
///
/// A context keeps nobody alive. So a member of a list would go as soon as the code that read it has returned, and with
/// it the note of who observes it: what tracks `cart.lines.reduce(0) { $0 + $1.price }` would not be told of a price.
///
/// What is kept is replaced when the relationship is tracked again, and goes with the owner or the context. Models that
/// were tracked through each other stay until then, as those of Core Data do whose relationships were read.
final class ObservedTargets: Sendable {
  // SAFETY: nobody looks at what is kept, which is only let go, and that may be on any thread, as a model's end may.
  private struct Kept: @unchecked Sendable {
    let models: Any
  }

  private struct State {
    /// By the owner's address, which it gives up before its memory is another's, and the property's place.
    var kept: [UInt: [Int: Kept]] = [:]
    /// What is to be let go.
    var dropped: [Kept] = []
    var isDropping = false
  }

  private let state = Mutex(State())

  func keep(_ models: Any, of owner: UnsafeMutableRawPointer, _ index: Int) {
    let (models, owner) = (Kept(models: models), UInt(bitPattern: owner))
    drop { state in
      if let former = state.kept[owner, default: [:]].updateValue(models, forKey: index) {
        state.dropped.append(former)
      }
    }
  }

  func forget(_ owner: UnsafeMutableRawPointer) {
    let owner = UInt(bitPattern: owner)
    drop { state in
      if let former = state.kept.removeValue(forKey: owner) { state.dropped += former.values }
    }
  }

  func forgetAll() {
    drop { state in
      for former in state.kept.values { state.dropped += former.values }
      state.kept = [:]
    }
  }

  /// Lets go what `change` drops, after the lock, as the models' ends come by here.
  ///
  /// What they kept goes in the loop that runs already: one inside the other, a long chain would end the stack.
  private func drop(_ change: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      change(&state)
      if state.isDropping || state.dropped.isEmpty { return false }
      state.isDropping = true
      return true
    }
    guard isFirst else { return }
    while true {
      let dropped = state.withLock { state in
        defer { state.dropped = [] }
        if state.dropped.isEmpty { state.isDropping = false }
        return state.dropped
      }
      if dropped.isEmpty { return }
      withExtendedLifetime(dropped) {}
    }
  }
}

extension PersistentModel {
  /// Keeps what a relationship shows, if somebody tracks that.
  func _$keepObserved(_ models: @autoclosure () -> Any, _ index: Int) {
    guard _$state.isObserved, let owner = _$state.registered, ObservationProbe.isTracking else { return }
    _$attachedCore?.observedTargets.keep(models(), of: owner, index)
  }
}
