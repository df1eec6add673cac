public import Roost
import RoostCore
import RoostEngine
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
  private var merges = Merges(all: [])
  private var editWinsTypes = ModelTypes([])

  /// A server that is given by what it answers. `identity`: what tells it from others.
  package init(identity: String, service: @escaping @Sendable () throws -> any SyncService) {
    self.service = ServiceMaker(identity: identity, make: service)
  }

  /// The numbers of the program's version of the schema, as the file has them: the rules of the newest one hold.
  private static func version(_ store: Store) throws -> [Int] {
    let text = try store.pool.read { try StoreCatalog($0).value(.version) }
    return text?.split(separator: ".").compactMap { Int($0) } ?? []
  }

  /// Starts syncing a store.
  func start(_ store: Store, zone: String) throws -> any StoreCompanion {
    let schema = store.schema
    let (models, editWins) = (modelTypes?.entities(of: schema), editWinsTypes.entities(of: schema))
    let contract = try SyncContract(
      schema, version: try Self.version(store), isSynced: { models?.contains($0.ordinal) ?? true },
      editWins: { editWins.contains($0.ordinal) }, merges: merges.all.map { try $0.bound(to: schema) })
    try contract.checkMerges()
    let synced = try SyncedStore(
      store, contract, zone: zone, site: UInt64.random(in: 1 ... .max),
      random: UInt64.random(in: 0 ... .max))
    return SyncEngine(store, synced, try service.make())
  }
}

extension SyncConfiguration {
  /// Says how an attribute is merged that is `@Attribute(.merge(.custom))`.
  ///
  /// ```swift
  /// sync.merge(\Note.text) { versions in versions.remote + "\n" + versions.local }
  /// ```
  /// The function is called when two devices changed the attribute, neither knowing of the other, on the device whose change
  /// came later to the server. What it returns is a change of that device. It must give the same for the same versions. It is
  /// called in the midst of a write: it must not wait for another thread, nor use the container.
  public mutating func merge<Model: PersistentModel, Value>(
    _ property: any KeyPath<Model, Value> & Sendable, by merge: @escaping @Sendable (SyncVersions<Value>) -> Value
  ) {
    merges.all.append(MergeMaker(property, merge))
  }
}

/// Functions of the program, which are equal where they are about the same properties.
private struct Merges: Hashable, Sendable {
  var all: [MergeMaker]
}

private struct MergeMaker: Hashable, Sendable {
  private let path: String
  private let make: @Sendable (SchemaInfo) throws -> CustomMerge

  init<Model: PersistentModel, Value>(
    _ path: any KeyPath<Model, Value> & Sendable, _ merge: @escaping @Sendable (SyncVersions<Value>) -> Value
  ) {
    self.path = "\(path)"
    make = { schema in
      guard let property = schema.entity(for: Model.self)?.property(for: path),
        case .attribute(let codec) = property.kind
      else {
        throw SwiftDataError(
          .unsupportedKeyPath, "A program merges attributes: `\(path)` is none.", model: "\(Model.self)",
          remedy: "Name a stored attribute of the model.")
      }
      return Self.merge(property, codec, merge)
    }
  }

  private static func merge<Codec: _AttributeCodec, Value>(
    _ property: PropertyInfo, _ codec: Codec.Type, _ merge: @escaping @Sendable (SyncVersions<Value>) -> Value
  ) -> CustomMerge {
    CustomMerge(model: property.owner.name, property: property.name) { ancestor, remote, local in
      guard let remote = codec.decode(remote) as? Value, let local = codec.decode(local) as? Value,
        let merged = merge(SyncVersions(ancestor: codec.decode(ancestor) as? Value, remote: remote, local: local))
          as? Codec.Value
      else { return nil }
      return try codec.encode(merged)
    }
  }

  func bound(to schema: SchemaInfo) throws -> CustomMerge { try make(schema) }

  static func == (left: Self, right: Self) -> Bool { left.path == right.path }
  func hash(into hasher: inout Hasher) { hasher.combine(path) }
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
