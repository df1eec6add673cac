extension Task where Success == Void, Failure == Never {
  /// Begins a task that calls an actor's code.
  ///
  /// One of the main actor begins on the main thread. Others begin in the cooperative pool,
  /// whose threads may all be busy.
  static func begin(on actor: any Actor, _ body: @escaping @Sendable (isolated any Actor) -> Void) {
    if actor === MainActor.shared {
      Task { @MainActor in await body(actor) }
    } else {
      Task { await body(actor) }
    }
  }
}
