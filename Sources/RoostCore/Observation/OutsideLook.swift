/// Has other programs' writes looked for while models of a context are observed: these hold it, and nobody else does.
///
/// Nobody can ask Observation who observes a model still, so that one that was observed counts as long as it lives.
final class OutsideLook: Sendable {
  private let store: Store

  fileprivate init(_ store: Store) {
    self.store = store
    store.beginLook()
  }

  deinit { store.observers.endLook() }
}

extension ContextCore {
  /// The look that the observed models of this context share; nil where no other program can write.
  func sharedOutsideLook() -> OutsideLook? {
    if let outsideLook { return outsideLook }
    if store.configuration.isStoredInMemoryOnly { return nil }
    let look = OutsideLook(store)
    outsideLook = look
    return look
  }
}

extension Store {
  /// Has writes of other programs looked for, until the observers' `endLook()`.
  func beginLook() { observers.beginLook { [weak self] in self?.announceAny() } }
}
