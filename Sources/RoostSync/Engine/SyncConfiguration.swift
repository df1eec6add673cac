public import Roost
import RoostCore
package import SyncMerge
import Synchronization

/// With which server a store is synced, and what of it.
public struct SyncConfiguration: Hashable, Sendable {
  private let service: ServiceMaker
  /// Which models are synced; nil for all.
  public var models: [any PersistentModel.Type]? {
    get { modelTypes?.types }
    set { modelTypes = newValue.map(ModelTypes.init) }
  }
  /// The models whose rows stay if one device deletes them and another edits them, neither knowing of the other.
  ///
  /// The rows of all others are deleted then; their values are kept by the server, with the edits.
  public var editWins: [any PersistentModel.Type] {
    get { editWinsTypes.types }
    set { editWinsTypes = ModelTypes(newValue) }
  }

  private var modelTypes: ModelTypes?
  private var editWinsTypes = ModelTypes([])

  /// A server that is given by what it answers. `identity`: what tells it from others.
  package init(identity: String, service: @escaping @Sendable () throws -> any SyncService) {
    self.service = ServiceMaker(identity: identity, make: service)
  }

  /// Starts syncing a store.
  func start(_ store: Store, zone: String) throws -> any StoreCompanion {
    let schema = store.schema
    let (models, editWins) = (modelTypes?.entities(of: schema), editWinsTypes.entities(of: schema))
    let contract = try SyncContract(
      schema, isSynced: { models?.contains($0.ordinal) ?? true }, editWins: { editWins.contains($0.ordinal) })
    let synced = try SyncedStore(store, contract, zone: zone, site: UInt64.random(in: 1 ... .max))
    return SyncEngine(store, synced, try service.make())
  }
}

private struct ServiceMaker: Hashable, Sendable {
  let identity: String
  let make: @Sendable () throws -> any SyncService

  static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }
  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// Types as a value that can be compared.
private struct ModelTypes: Hashable, Sendable {
  let types: [any PersistentModel.Type]

  init(_ types: [any PersistentModel.Type]) { self.types = types }

  private var identifiers: [ObjectIdentifier] { types.map { ObjectIdentifier($0) } }
  static func == (left: Self, right: Self) -> Bool { left.identifiers == right.identifiers }
  func hash(into hasher: inout Hasher) { hasher.combine(identifiers) }

  /// The ordinals of their hierarchies' roots.
  func entities(of schema: SchemaInfo) -> Set<Int> { Set(types.compactMap { schema.entity(for: $0)?.root.ordinal }) }
}

extension ModelConfiguration {
  /// The server that the store is synced with; nil, for none, unless set.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration("Library")
  /// configuration.sync = .server(URL(string: "https://sync.example.org")!, token: { try await signIn() })
  /// ```
  /// `cloudKitDatabase:` says which of the user's databases at the server it is: for `.private("name")` that one, for
  /// `.automatic` the one that is called as the configuration, and for `.none` none: the store is not synced.
  public var sync: SyncConfiguration? {
    get { companion?.settings as? SyncConfiguration }
    set {
      guard let newValue, let zone else {
        companion = nil
        return
      }
      companion = CompanionSetup(newValue) { store in try newValue.start(store, zone: zone) }
    }
  }

  private var zone: String? {
    if cloudKitDatabase == .none { return nil }
    return cloudKitContainerIdentifier ?? name
  }
}

extension ModelContainer {
  /// What syncs the container's store; nil where the configuration has no ``ModelConfiguration/sync``, or the store is closed.
  public var sync: SyncEngine? { store.companion.withLock { $0 as? SyncEngine } }
}
