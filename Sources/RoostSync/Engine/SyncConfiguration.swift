public import Roost
import RoostCore
import RoostEngine
package import SyncMerge
import Synchronization

/// With which server a store is synced, and what of it.
public struct SyncConfiguration: Hashable, Sendable {
  private let service: ServiceMaker
  /// Which models are synced, each with those that it inherits from and that inherit from it; nil for all.
  ///
  /// A container is not made that does not have one of them.
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
  ///
  /// `isZoneGiven`: whether the program says that it is this one, also for a store that was synced with another.
  func start(_ store: Store, zone: String, isZoneGiven: Bool) throws -> any StoreCompanion {
    guard (1...200).contains(zone.utf8.count), zone != ".", zone != ".." else {
      throw SwiftDataError.loadIssue(
        "A server has no database that is called \"\(zone)\".",
        remedy: "Give cloudKitDatabase, or the configuration, a name of 1 to 200 bytes.")
    }
    let schema = store.schema
    let models = try modelTypes?.entities(of: schema, "models")
    let editWins = try editWinsTypes.entities(of: schema, "editWins")
    let contract = try SyncContract(
      schema, version: try Self.version(store), isSynced: { models?.contains($0.ordinal) ?? true },
      editWins: { editWins.contains($0.ordinal) }, merges: merges.all.map { try $0.bound(to: schema) })
    try contract.checkMerges()
    let synced = try SyncedStore(
      store, contract, zone: zone, isZoneGiven: isZoneGiven, site: UInt64.random(in: 1 ... .max),
      random: UInt64.random(in: 0 ... .max))
    return SyncEngine(store, synced, try service.make())
  }
}

extension SyncConfiguration {
  /// Gives the function that merges an attribute with `@Attribute(.merge(.custom))`.
  ///
  /// ```swift
  /// sync.merge(\Note.text) { versions in versions.remote + "\n" + versions.local }
  /// ```
  /// The function is called when two devices changed the attribute, neither knowing of the other, on the device whose change
  /// came later to the server. What it returns is a change of that device. It is also called when a context has an unsaved edit
  /// and another change comes: ``SyncVersions/remote`` is then what is stored, and ``SyncVersions/local`` the edit. It must
  /// give the same for the same versions. It is called in the midst of a write: it must not wait for another thread, nor use
  /// the container.
  ///
  /// - Parameters:
  ///   - property: the attribute. A container is not made where it is merged by another rule.
  ///   - merge: gives the value, of what it was and what both devices made of it.
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

  /// The ordinals of their hierarchies' roots. `list`: where the program has them.
  func entities(of schema: SchemaInfo, _ list: String) throws -> Set<Int> {
    Set(
      try types.map { type in
        if let entity = schema.entity(for: type) { return entity.root.ordinal }
        throw SwiftDataError(
          .invalidSchema, "It is one of `sync.\(list)`, and none of the container's models.", model: "\(type)",
          remedy: "Give it to the container too, or take it out of `sync.\(list)`.")
      })
  }
}

extension ModelConfiguration {
  /// The server that the store is synced with; nil, for none, unless set.
  ///
  /// ```swift
  /// var configuration = ModelConfiguration("Library")
  /// configuration.sync = .server(URL(string: "https://sync.example.org")!, token: { try await session.token() })
  /// ```
  /// The closure is called before each request: return a token that is kept, and renew it when it expires. Where nobody has signed in,
  /// throw; call ``SyncEngine/resume()`` once somebody has.
  ///
  /// `cloudKitDatabase:` says which of the user's databases at the server it is: for `.private("name")` that one, for
  /// `.automatic` the one that is called as the configuration, and for `.none` none: the store is not synced. A store stays with the
  /// database that it was first synced with, unless `.private` names another one: then it is as with another account, and nothing is
  /// sent or fetched until ``SyncEngine/useAccount(_:)`` says what becomes of its rows.
  public var sync: SyncConfiguration? {
    get { companion?.settings as? SyncConfiguration }
    set {
      guard let newValue, let zone else {
        companion = nil
        return
      }
      let isGiven = cloudKitContainerIdentifier != nil
      companion = CompanionSetup(newValue) { store in try newValue.start(store, zone: zone, isZoneGiven: isGiven) }
    }
  }

  private var zone: String? {
    if cloudKitDatabase == .none { return nil }
    return cloudKitContainerIdentifier ?? name
  }
}

extension ModelContainer {
  /// What syncs the store; nil without ``ModelConfiguration/sync``, or once the store is closed.
  ///
  /// It does not keep the container, without which it ends.
  public var sync: SyncEngine? { store.companion.withLock { $0 as? SyncEngine } }
}
