import Foundation
import RoostEngine
import Synchronization

/// The part of a context that its models hold on to: it finds models by key and reads what they lack.
///
/// Apart from `ModelContext` so that a model does not keep the context alive; its end drops the pending changes.
package final class ContextCore {
  /// nil once the context is gone; models then keep their last known values.
  private(set) weak var context: ModelContext?
  /// Whether the context is still there: asked often, and cheaper than the weak reference.
  private(set) var isAttached = false
  /// Whether it was said that edits are lost.
  var reportedLostEdit = false
  /// What the context would save. Here, so that noting an edit needs no context.
  package let pending: PendingChanges
  // SAFETY: a context belongs to one actor, and nothing that changes these, its lists of models or the last entity
  // calls out meanwhile: the lists only append and remove.
  /// What notes changes for an undo manager, while there is one.
  @exclusivity(unchecked) var undo: UndoRecorder?
  let undoSteps = UndoSteps()
  var mergePolicy: ModelContext.MergePolicy {
    didSet { keepsAncestors = policyNeedsAncestors || merges != nil }
  }
  /// What others have written; nil while the context has read nothing.
  @exclusivity(unchecked) var news: ContextNews?
  let observedTargets = ObservedTargets()
  /// There while a model of the context lives that was observed.
  weak var outsideLook: OutsideLook?
  /// The actor that the context is used on, as far as that is known.
  weak var home: (any Actor)?
  /// How attributes are merged that others change while there is an edit to save; nil where none is.
  let merges: AttributeMerges?
  /// Whether edits note what the store had before them.
  @exclusivity(unchecked) private(set) var keepsAncestors: Bool
  /// The context that a draft reads and changes in place of the store.
  package let parent: ContextCore?
  let source: any RowSource
  var drafts = DraftContexts()
  private struct ModelKey: Hashable {
    let ordinal: Int
    let key: Int64
  }

  private var gone: Set<ModelKey> = []
  /// What shows pending changes to the query that is running; nil when that reads stored rows alone.
  package var shownOverlay: PendingOverlay?
  package let store: Store
  let identities: IdentityMap
  /// Models that relationships referred to lately, kept alive so that a walk does not read them again and again.
  private var recent = RecentModels()
  /// How many edits are under way, one within the other.
  @exclusivity(unchecked) var editDepth = 0
  /// What observers are told when the outermost of them is done.
  @exclusivity(unchecked) var announcements: [Announcement] = []
  /// What could not be read, and shows something else.
  @exclusivity(unchecked) var unread: [UnreadProperty: DatabaseError] = [:]
  /// The edits that refer to models whose rows others have deleted, as observers know.
  var dangling: Set<DanglingReference> = []
  /// Models whose observers will be told of all that a call under way reads or changes.
  var told: Set<ObjectIdentifier> = []
  /// Models whose initialisers linked them to models of this context, not inserted yet.
  @exclusivity(unchecked) private var waiting: [any PersistentModel] = []
  /// Keys of models that were made without reading their row, by entity, to be read together.
  @exclusivity(unchecked) private var shells: [[Int64]]
  /// When to look for keys whose models are gone.
  private var shellLimit = 1_024
  private var shellCount = 0

  /// The list whose members were asked for last, by the members' entity.
  @exclusivity(unchecked) private var walks: [Int: ListWalk] = [:]

  /// The type asked for last: a program mostly makes many models of one type in a row.
  @exclusivity(unchecked) private var lastEntity: (type: ObjectIdentifier, entity: EntityInfo)?

  /// How many siblings were read with the last model that lacked a property, by its details.
  var siblingsRead: [ObjectIdentifier: Int] = [:]

  /// How many models were looked at for the sake of others, for tests.
  var siblingsSeen = 0

  /// How many members of lists were found by their keys, or compared with these, for tests.
  @exclusivity(unchecked) var membersSeen = 0

  package var schema: SchemaInfo { store.schema }

  /// Whether the policy asks what edits were made of. A draft's edits always win over its parent's.
  var policyNeedsAncestors: Bool { parent == nil && mergePolicy.needsAncestors }

  package func entity(for type: any PersistentModel.Type) -> EntityInfo? {
    if let lastEntity, lastEntity.type == ObjectIdentifier(type) { return lastEntity.entity }
    guard let entity = schema.entity(for: type) else { return nil }
    lastEntity = (ObjectIdentifier(type), entity)
    return entity
  }

  init(store: Store, parent: ContextCore? = nil) {
    self.store = store
    self.parent = parent
    source = parent.map { ParentRows($0) } ?? StoreRows(store)
    mergePolicy = store.configuration.storeOptions.mergePolicy
    merges = store.merges.withLock(\.self)
    keepsAncestors = merges != nil || parent == nil && mergePolicy.needsAncestors
    identities = IdentityMap(store.schema)
    pending = PendingChanges(store.schema)
    shells = Array(repeating: [], count: store.schema.entities.count)
  }

  func attach(_ context: ModelContext) {
    self.context = context
    isAttached = true
  }

  func detach() {
    isAttached = false
    if let news { store.observers.remove(news) }
    undo = nil
    _ = pending.take()
    pending.observed?.forgetTouches()
    forgetRecent()
    observedTargets.forgetAll()
    // They hold the core until they are inserted. Each looks here once more as it goes.
    let dropped = waiting
    waiting = []
    withExtendedLifetime(dropped) {}
  }

  package func scope(ordinal: Int) -> IdentifierScope { store.scopes[ordinal] }

  // MARK: - Models waiting to be inserted

  /// Has a model whose initialiser is running inserted as soon as anybody looks.
  func insertLater(_ model: any PersistentModel) {
    waiting.append(model)
    pending.noteWaiting()
  }

  /// Has the next read of `target`, and of the model it refers to now, insert those that wait first.
  func expectLink(_ target: any PersistentModel, _ relationship: RelationshipInfo?) {
    target._$state.needsAttention = true
    guard let relationship, relationship.inverseIsToOne, let inverse = relationship.inverse else { return }
    for key in target._$edit(inverse, .collect).keys {
      object(of: target, inverse, key: key)?._$state.needsAttention = true
    }
  }

  /// Forgets a model whose initialiser failed.
  func cancelInsert(_ model: UnsafeMutableRawPointer) {
    let address = UInt(bitPattern: model)
    waiting.removeAll { UInt(bitPattern: ObjectIdentifier($0)) == address }
  }

  /// Inserts the models that linked themselves to this context's models while they were initialised.
  package func insertWaiting() {
    if waiting.isEmpty { return }
    // Their initialisers are running: somebody looks in the midst of one.
    var unfinished: [any PersistentModel] = []
    while !waiting.isEmpty {
      let models = waiting
      waiting = []
      for model in models where isAttached {
        if model._$isWhole { insert(model) } else { unfinished.append(model) }
      }
    }
    waiting = unfinished
  }

  var isAwaited: Bool { !waiting.isEmpty }

  // MARK: - Rows that are gone

  /// Notes that a model has no row, or is one that its draft's parent deletes.
  package func noteGone(_ model: any PersistentModel) {
    tellingChanges(of: [model]) {
      model._$state.flags.remove(.shell)
      model._$state.flags.insert(.vanished)
    }
    gone.insert(ModelKey(ordinal: model._$state.ordinal, key: model._$state.key))
    pending.keptLists.forget()
  }

  /// Those that were gone when they were last read.
  func takeGone() -> [any PersistentModel] {
    defer { gone = [] }
    return gone.compactMap { existing(ordinal: $0.ordinal, key: $0.key) }
  }

  // MARK: - Finding

  /// The live object of a row, without reading the store.
  package func existing(ordinal: Int, key: Int64) -> (any PersistentModel)? {
    identities.object(ordinal: ordinal, key: key) as? any PersistentModel
  }

  /// The object of a row: the live one, or a shell that reads its row on first use.
  ///
  /// The row must be of exactly that class, as far as anybody knows: see `mixedModels` for others.
  package func model<Model: PersistentModel>(_ type: Model.Type, ordinal: Int, key: Int64) -> Model {
    if let object = identities.object(ordinal: ordinal, key: key) {
      return object as? Model ?? Placeholder.model(type)
    }
    var row = _RowReader()
    let model = Model(_$row: &row)
    register(model, ordinal: ordinal, key: key)
    model._$state.flags.insert(.shell)
    noteShell(ordinal: ordinal, key: key)
    return model
  }

  func noteShell(ordinal: Int, key: Int64) {
    shells[ordinal].append(key)
    shellCount += 1
    if shellCount < shellLimit { return }
    for ordinal in shells.indices {
      shells[ordinal].removeAll { !identities.contains(ordinal: ordinal, key: $0) }
    }
    shellCount = shells.reduce(0) { $0 + $1.count }
    shellLimit = max(1_024, shellCount * 2)
  }

  /// As `model(_:ordinal:key:)` for a relationship's target that only the schema knows the type of.
  func object(of owner: any PersistentModel, _ index: Int, key: Int64) -> (any PersistentModel)? {
    guard let destination = owner._$info(index)?.relationship?.destination else { return nil }
    if destination.isMixed {
      return existing(ordinal: destination.ordinal, key: key)
        ?? target(of: owner, index, key: key, as: destination.type)
    }
    let found: any PersistentModel = model(destination.type, ordinal: destination.ordinal, key: key)
    return source.shows(found, in: self) ? found : nil
  }

  func register(_ model: some PersistentModel, ordinal: Int, key: Int64) {
    // SAFETY: kept by the identity map, which the model leaves in its deinit.
    let pointer = Unmanaged.passUnretained(model).toOpaque()
    model._$state.register(in: self, ordinal: ordinal, key: key, pointer)
    identities.insert(pointer, ordinal: ordinal, key: key)
  }

  /// Keeps a model alive for a while.
  func remember(_ model: any PersistentModel) {
    // Models keep what they belong to, so that what is kept for a context would outlive it.
    if isAttached { recent.append(model) }
  }

  func forgetRecent() { recent = RecentModels() }

  // MARK: - Walks through lists

  /// The list that models' rows are read for, and how often.
  private struct ListWalk {
    let ordinal: Int
    let index: Int
    var owner: Int64
    var readCount = 0
  }

  func noteWalk(from owner: any PersistentModel, _ index: Int, to destination: EntityInfo) {
    let (ordinal, key) = (owner._$state.ordinal, owner._$state.key)
    if let walk = walks[destination.ordinal], walk.ordinal == ordinal, walk.index == index {
      walks[destination.ordinal]?.owner = key
    } else {
      walks[destination.ordinal] = ListWalk(ordinal: ordinal, index: index, owner: key)
    }
  }

  /// The keys of models that a walk will come to next: members of the siblings' lists, as far as these were read.
  ///
  /// None the first time: whoever looks into one list need not look into all. The second time it is a walk.
  func membersAhead(of ordinal: Int) -> [Int64] {
    guard let walk = walks[ordinal] else { return [] }
    walks[ordinal]?.readCount += 1
    if walk.readCount == 0 { return [] }
    var keys: Set<Int64> = []
    let owners = siblings(of: walk.owner, ordinal: walk.ordinal, with: walk.index, limit: 2 * Self.memberLimit)
    for owner in owners {
      for key in owner._$edit(walk.index, .collect).keys where key > 0 {
        if !identities.contains(ordinal: ordinal, key: key) { keys.insert(key) }
      }
      if keys.count >= Self.memberLimit { break }
    }
    return Array(keys)
  }

  func takeShells(ordinal: Int) -> [Int64] {
    defer { shells[ordinal] = [] }
    return shells[ordinal]
  }

  /// Takes the key of a shell that nobody needs to read any others with; false if there may be others.
  func takeOnlyShell(ordinal: Int, key: Int64) -> Bool {
    guard shells[ordinal].count == 1, shells[ordinal][0] == key, walks[ordinal] == nil else { return false }
    shells[ordinal].removeAll(keepingCapacity: true)
    return true
  }

  // MARK: - Changes

  func willChange(_ model: any PersistentModel, _ index: Int) {
    guard isAttached else { return reportLostEdit(model, index) }
    if !unread.isEmpty { reportUnread(model, index) }
    if keepsAncestors { keepAncestor(of: model, index) }
    if let undo {
      // An undo manager of the program's may take the model out, and let the context go: see `withCore`.
      // SAFETY: released at the end of this scope, whatever happens in between.
      let held = Unmanaged.passRetained(self)
      defer { held.release() }
      undo.willChange(model, index)
      pending.change(model, index)
    } else {
      pending.change(model, index)
    }
  }

  func join(_ row: JoinRow, isLinked: Bool) {
    undo?.willJoin(row, isLinked: isLinked)
    pending.join(row, isLinked: isLinked)
  }
}

extension _ModelState {
  /// Makes the model a new one of a context. Returns its temporary key.
  mutating func enter(_ core: ContextCore, ordinal: Int, _ pointer: UnsafeMutableRawPointer) -> Int64 {
    // A model that left a context by rollback or deletion comes as new.
    if key >= 0 || flags.contains(.deleted) { key = TemporaryKeys.next() }
    links = nil
    forgetChanges()
    flags = [.inserted, .listedInserted]
    register(in: core, ordinal: ordinal, key: key, pointer)
    return key
  }
}

/// The last so many models that relationships referred to.
private struct RecentModels {
  /// Enough for walks along several relationships, along each of which `targetLimit` are read at once, at some 3 MB of
  /// ordinary rows.
  private static let capacity = 16_384

  private var models: [AnyObject] = []
  private var next = 0

  mutating func append(_ model: AnyObject) {
    if models.count < Self.capacity {
      models.append(model)
    } else {
      models[next] = model
      next = (next + 1) % Self.capacity
    }
  }
}

extension ModelContext {
  /// The number of this context's models that are alive.
  package var _liveModelCount: Int { core.identities.count }

  package var _siblingsSeen: Int { core.siblingsSeen }

  package var _membersSeen: Int { core.membersSeen }

  package var _linksSeen: Int { core.pending.linksSeen }

  package func _forgetRecentModels() { core.forgetRecent() }

  package func _forgetKeptLists() { core.pending.keptLists.forget() }
}
