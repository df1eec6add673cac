import Foundation
import Logging
import RoostEngine
import Synchronization

/// Opens the stores of a schema and makes contexts for them.
///
/// ```swift
/// let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(url: url))
/// let context = ModelContext(container)
/// ```
/// A container has one store. Where SwiftData takes several configurations, make a container for each; models of
/// different stores cannot refer to each other there either.
///
/// Source: SwiftData's `ModelContainer`.
public class ModelContainer: Equatable, @unchecked Sendable {
  // SAFETY: every stored property is immutable or guarded by a Mutex; `_mainContext` is only touched on the main actor.

  /// The models of the container, those that relationships refer to included.
  public final let schema: Schema
  /// How stores of older schemas are brought to this one.
  public final let migrationPlan: (any SchemaMigrationPlan.Type)?
  package let store: Store
  private let configurationList: Mutex<Set<ModelConfiguration>>
  /// Owned here. It refers back weakly, or a container whose main context was used would never close its store.
  @MainActor private var _mainContext: ModelContext?

  /// The configurations the container was made with; at least one.
  public var configurations: Set<ModelConfiguration> {
    get { configurationList.withLock { $0 } }
    set { configurationList.withLock { $0 = newValue } }
  }

  /// The main actor's context. It saves by itself, as ``ModelContext/autosaveEnabled`` says.
  @MainActor public var mainContext: ModelContext {
    if let _mainContext { return _mainContext }
    let context = ModelContext(mainOf: self)
    _mainContext = context
    return context
  }

  /// The configuration that a program gave.
  package static func configuration(of configurations: [ModelConfiguration]) throws -> ModelConfiguration {
    for configuration in configurations { try configuration.validate() }
    guard configurations.count <= 1 else {
      throw SwiftDataError(
        .duplicateConfiguration, "A container has one store for now; \(configurations.count) were given.",
        remedy: "Make one container a configuration.")
    }
    return configurations.first ?? ModelConfiguration()
  }

  /// A container of a store that is open: a new one, or what the main context has when its own container is gone.
  package init(of store: Store, like parts: Parts) {
    schema = parts.schema
    migrationPlan = parts.migrationPlan
    configurationList = Mutex(parts.configurations)
    self.store = store
  }

  /// What a container is besides its store.
  package struct Parts {
    package let schema: Schema
    package let migrationPlan: (any SchemaMigrationPlan.Type)?
    package let configurations: Set<ModelConfiguration>

    package init(
      schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, configurations: Set<ModelConfiguration>
    ) {
      self.schema = schema
      self.migrationPlan = migrationPlan
      self.configurations = configurations
    }
  }

  var parts: Parts { Parts(schema: schema, migrationPlan: migrationPlan, configurations: configurations) }

  /// Removes all models from the store, at once and for good. Failures are logged; ``erase()`` throws them.
  ///
  /// Of a store that is synced it deletes them on all of the user's devices: see ``erase()``.
  public func deleteAllData() {
    do { try erase() } catch { store.logger.error("deleteAllData() failed", metadata: ["error": "\(error)"]) }
  }

  /// Removes all models from the store, at once and for good.
  ///
  /// Of a store that is synced it deletes them on all of the user's devices; the server keeps the values of deleted
  /// rows. `sync?.useAccount(.discard)` removes them from this device alone.
  ///
  /// - Throws: ``SwiftDataError``, such as ``SwiftDataError/storeBusy``; the models are then still there.
  public func erase() throws { try store.erase() }

  /// The identifier of a configuration's store, or nil when no configuration has that name.
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    store.configuration.name == name ? store.identifier : nil
  }

  /// The name of the configuration whose store has an identifier, or nil when there is none.
  public func configurationName(forStoreIdentifier identifier: String) -> String? {
    store.identifier == identifier ? store.configuration.name : nil
  }

  /// Closes the store: its file is whole without companions, and every later use throws ``SwiftDataError/storeClosed``.
  ///
  /// Waits for fetches and saves of other threads. Contexts keep their unsaved changes, and models their values. Not
  /// needed in most programs: the store closes when the last context and model are gone.
  public func close() throws { try store.close() }

  /// The files of large values, for tests.
  package var _externalFiles: ExternalFiles? { store.files }

  package var _externalFilesRead: Int { store.files?.readCount.load(ordering: .relaxed) ?? 0 }

  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs === rhs }
}
