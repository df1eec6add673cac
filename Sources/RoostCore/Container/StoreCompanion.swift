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
  /// Makes the companion of an open store, which it must not hold strongly.
  package typealias Start = (Store) throws -> any StoreCompanion

  package let settings: any Hashable & Sendable
  fileprivate let check: @Sendable (ModelConfiguration, SchemaInfo, ProgramVersion) throws -> Start

  /// Two are equal when their settings are.
  ///
  /// - Parameters:
  ///   - settings: what the user has set.
  ///   - check: looks at the configuration and the models before the store is opened, so that it is not
  ///     migrated where they cannot be used.
  package init(
    _ settings: some Hashable & Sendable,
    check: @escaping @Sendable (ModelConfiguration, SchemaInfo, ProgramVersion) throws -> Start
  ) {
    self.settings = settings
    self.check = check
  }

  package static func == (left: Self, right: Self) -> Bool { AnyHashable(left.settings) == AnyHashable(right.settings) }
  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(settings)) }
}

extension ModelConfiguration {
  /// Checks that models are such as the companion of a store can work with. Returns what
  /// starts it; nil for no companion.
  package func checkCompanion(
    _ schema: SchemaInfo, of version: @autoclosure () throws -> ProgramVersion
  ) throws -> CompanionSetup.Start? {
    try companion?.check(self, schema, version())
  }
}

extension Store {
  /// Starts what the configuration wants beside the store.
  package func startCompanion(_ start: CompanionSetup.Start) throws {
    let made = try start(self)
    companion.withLock { $0 = made }
  }

  /// Ends it. Whoever closes the store calls it first.
  func endCompanion() { companion.withLock { $0.take() }?.end() }
}
