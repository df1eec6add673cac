import Synchronization

/// What works on a store beside its contexts, as long as the store is open.
package protocol StoreCompanion: AnyObject, Sendable {
  /// Ends the work. Called once, before the store is closed.
  func end()
}

/// Which version of a program's models a store is opened with.
package struct ProgramVersion: Sendable {
  /// The program's own number of it.
  package let number: Schema.Version
  /// The models of the versions before, the oldest first.
  package let former: [SchemaInfo]

  package init(number: Schema.Version, former: [SchemaInfo]) { (self.number, self.former) = (number, former) }
}

/// What a configuration has a store given once it is open.
package struct CompanionSetup: Hashable, Sendable {
  package let settings: any Hashable & Sendable
  private let start: @Sendable (Store, ProgramVersion) throws -> any StoreCompanion

  /// Two are equal when their settings are.
  package init(
    _ settings: some Hashable & Sendable,
    start: @escaping @Sendable (Store, ProgramVersion) throws -> any StoreCompanion
  ) {
    self.settings = settings
    self.start = start
  }

  /// Makes the companion of a store. It must not hold the store strongly.
  package func make(for store: Store, of version: ProgramVersion) throws -> any StoreCompanion {
    try start(store, version)
  }

  package static func == (left: Self, right: Self) -> Bool { AnyHashable(left.settings) == AnyHashable(right.settings) }
  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(settings)) }
}

extension Store {
  /// Starts what the configuration wants beside the store.
  package func startCompanion(of version: @autoclosure () throws -> ProgramVersion) throws {
    guard let setup = configuration.companion else { return }
    let made = try setup.make(for: self, of: version())
    companion.withLock { $0 = made }
  }

  /// Ends it. Whoever closes the store calls it first.
  func endCompanion() { companion.withLock { $0.take() }?.end() }
}
