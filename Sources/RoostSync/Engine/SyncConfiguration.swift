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
  /// None unless set. Each stands for those that it inherits from and that inherit from it, too. The rows of all others
  /// are deleted then; their values are kept by the server, with the edits.
  public var editWins: [any PersistentModel.Type] {
    get { editWinsTypes.types }
    set { editWinsTypes = ModelTypes(newValue) }
  }

  /// Whether nothing is sent or fetched until ``SyncEngine/resume()`` or ``SyncEngine/now()``.
  ///
  /// False unless set. It is as after ``SyncEngine/pause()``: what programs change is noted all the same.
  public var startsPaused = false

  private var modelTypes: ModelTypes?
  var merges = MergeMakers(all: [])
  private var editWinsTypes = ModelTypes([])

  /// A server that is given by what it answers. `identity`: what tells it from others.
  package init(identity: String, service: @escaping @Sendable () throws -> any SyncService) {
    self.service = ServiceMaker(identity: identity, make: service)
  }

  /// Checks that models can be synced, and so the configuration. Returns what starts syncing a store of them.
  ///
  /// `isZoneGiven`: whether the program says that it is this one, also for a store that was synced with another.
  func check(
    _ configuration: ModelConfiguration, _ schema: SchemaInfo, of program: ProgramVersion, zone: String,
    isZoneGiven: Bool
  ) throws -> CompanionSetup.Start {
    guard (1...200).contains(zone.utf8.count), zone != ".", zone != ".." else {
      throw SwiftDataError.loadIssue(
        "A server has no database that is called \"\(zone)\".",
        remedy: "Give cloudKitDatabase, or the configuration, a name of 1 to 200 bytes.")
    }
    let models = try modelTypes?.entities(of: schema, "models")
    let editWins = try editWinsTypes.entities(of: schema, "editWins")
    if let models,
      let left = editWinsTypes.types.first(where: { !models.contains(schema.entity(for: $0)?.root.ordinal ?? -1) })
    {
      throw SwiftDataError(
        .invalidSchema, "It is one of `sync.editWins`, and is not synced, as `sync.models` does not have it.",
        model: "\(left)",
        remedy: "Add it to `sync.models`, or take it out of `sync.editWins`.")
    }
    let contract = try SyncContract(
      schema, after: program.former, version: [program.number.major, program.number.minor, program.number.patch],
      isSynced: { models?.contains($0.ordinal) ?? true },
      editWins: { editWins.contains($0.ordinal) }, merges: merges.all.map { try $0.bound(to: schema) })
    try contract.checkMerges()
    guard configuration.allowsSave else {
      throw SwiftDataError(
        .invalidSchema, "The store is opened with allowsSave: false, so that nothing can be synced.",
        remedy: "Leave `sync` nil where a store is only read: the program that writes to it syncs it.")
    }
    if let history = configuration.storeOptions.history { try contract.check(history) }
    let service = try service.make()
    return { store in
      let synced = try SyncedStore(
        store, contract, zone: zone, isZoneGiven: isZoneGiven, site: UInt64.random(in: 1 ... .max),
        random: UInt64.random(in: 0 ... .max))
      return SyncEngine(store, synced, service, isPaused: startsPaused)
    }
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
