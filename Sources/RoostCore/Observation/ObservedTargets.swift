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

  /// By the owner's address, which it gives up before its memory is another's, and the property's place.
  private let kept = Mutex<[UInt: [Int: Kept]]>([:])

  func keep(_ models: Any, of owner: UnsafeMutableRawPointer, _ index: Int) {
    let (models, owner) = (Kept(models: models), UInt(bitPattern: owner))
    // Let go after the lock: their ends may come by here.
    let former = kept.withLock { $0[owner, default: [:]].updateValue(models, forKey: index) }
    withExtendedLifetime(former) {}
  }

  func forget(_ owner: UnsafeMutableRawPointer) {
    let owner = UInt(bitPattern: owner)
    let former = kept.withLock { $0.removeValue(forKey: owner) }
    withExtendedLifetime(former) {}
  }

  func forgetAll() {
    let former = kept.withLock { kept in
      defer { kept = [:] }
      return kept
    }
    withExtendedLifetime(former) {}
  }
}

extension PersistentModel {
  /// Keeps what a relationship shows, if somebody tracks that.
  func _$keepObserved(_ models: Any, _ index: Int) {
    guard _$state.isObserved, let owner = _$state.registered, ObservationProbe.isTracking else { return }
    _$attachedCore?.observedTargets.keep(models, of: owner, index)
  }
}
