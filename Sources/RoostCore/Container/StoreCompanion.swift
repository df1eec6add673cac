import Synchronization

/// What works on a store beside its contexts, as long as the store is open.
package protocol StoreCompanion: AnyObject, Sendable {
  /// Ends the work. Called once, before the store is closed.
  func end()
}

/// What a configuration has a store given once it is open.
package struct CompanionSetup: Hashable, Sendable {
  package let settings: any Hashable & Sendable
  private let start: @Sendable (Store, [SchemaInfo]) throws -> any StoreCompanion

  /// Two are equal when their settings are.
  package init(
    _ settings: some Hashable & Sendable,
    start: @escaping @Sendable (Store, [SchemaInfo]) throws -> any StoreCompanion
  ) {
    self.settings = settings
    self.start = start
  }

  /// Makes the companion of a store. It must not hold the store strongly.
  ///
  /// `formerVersions`: the models of the program's versions before, the oldest first.
  package func make(for store: Store, after formerVersions: [SchemaInfo]) throws -> any StoreCompanion {
    try start(store, formerVersions)
  }

  package static func == (left: Self, right: Self) -> Bool { AnyHashable(left.settings) == AnyHashable(right.settings) }
  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(settings)) }
}

extension Store {
  /// Starts what the configuration wants beside the store.
  ///
  /// `formerVersions`: the models of the program's versions before, the oldest first.
  package func startCompanion(after formerVersions: @autoclosure () throws -> [SchemaInfo]) throws {
    guard let setup = configuration.companion else { return }
    let made = try setup.make(for: self, after: formerVersions())
    companion.withLock { $0 = made }
  }

  /// Ends it. Whoever closes the store calls it first.
  func endCompanion() { companion.withLock { $0.take() }?.end() }
}
