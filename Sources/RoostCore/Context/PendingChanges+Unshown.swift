// What a query is still to be shown. A fetch among a million unsaved models is shown the
// few that changed since the last.
extension PendingChanges {
  struct Unshown {
    /// Each once: those whose state says `.stale`.
    fileprivate(set) var models = ModelList()
    /// The rows of join tables; nil for all.
    var joinRows: Set<JoinRow>? = []

    mutating func forget(_ gone: [any PersistentModel]) {
      let identifiers = Set(gone.map { ObjectIdentifier($0) })
      for model in gone { model._$state.flags.remove(.stale) }
      models.removeAll { identifiers.contains(ObjectIdentifier($0)) }
      // A link of a model that was to be deleted counts again.
      joinRows = nil
    }
  }

  /// Notes that a model is pending, or is not any more.
  func noteUnshown(_ model: any PersistentModel, _ address: _StateAddress) {
    if unshown == nil || address.state.flags.contains(.stale) { return }
    address.state.flags.insert(.stale)
    unshown?.models.append(model, address)
  }

  /// What has changed since this was last asked, and is shown from now on; nil the first time: everything.
  func takeUnshown() -> (models: [any PersistentModel], joinRows: Set<JoinRow>?)? {
    defer {
      endShowing()
      unshown = Unshown()
    }
    // What is to be deleted decides about others' links.
    return unshown.map { ($0.models.models, deleted.isEmpty ? $0.joinRows : nil) }
  }

  /// The next query is shown everything.
  func endShowing() {
    guard let models = unshown?.models else { return }
    for address in models.states { address.state.flags.remove(.stale) }
    unshown = nil
  }
}
