import Logging
import RoostEngine
import Synchronization

/// What others have written since a context last looked, and the way to it. It keeps nobody alive.
final class ContextNews: WriteListener, @unchecked Sendable {
  // SAFETY: `context` is set once, before the news is handed on, and then only used on the actor that the context
  // belongs to. All else is immutable, atomic or guarded by the Mutex.

  /// What was written, all together.
  struct Written {
    /// The keys of rows that are known to have changed, by their classes' places in the schema.
    var keys: [Int: Set<Int64>] = [:]
    /// The tables of which any row may have changed; nil for all.
    var unknown: Set<String>? = []
    /// All tables that rows have changed in; nil when those may be all.
    var tables: Set<String>? = []
    /// Whether a relationship may be another one.
    var changesRelationships = false
    fileprivate var count = 0

    fileprivate mutating func add(_ written: WrittenRows, _ schema: SchemaInfo) {
      unknown = written.unknown.flatMap { unknown?.union($0) }
      tables = written.tables.flatMap { tables?.union($0) }
      changesRelationships = changesRelationships || written.changesRelationships
      count += written.count
      for (ordinal, rows) in written.rows {
        // Those that were kept until then go by their tables from now on.
        if count > WrittenRows.mostRows {
          unknown?.insert(schema.entities[ordinal].table)
        } else {
          keys[ordinal, default: []].formUnion(rows.inserted + rows.updated.map(\.key) + rows.deleted)
        }
      }
    }
  }

  private struct State {
    var written = Written()
    weak var actor: (any Actor)?
    var isScheduled = false
  }

  // Not the core: an object with weak references to it has its references counted by a detour, and
  // each model counts one to its core.
  private weak var context: ModelContext?
  private let own: ObjectIdentifier
  private let schema: SchemaInfo
  private let state = Mutex(State())
  private let isNew = Atomic<Bool>(false)

  init(for core: ContextCore) {
    context = core.context
    own = ObjectIdentifier(core)
    schema = core.schema
  }

  /// Where the context is told; nil while it only looks by itself.
  var actor: (any Actor)? {
    get { state.withLock { $0.actor } }
    set { state.withLock { $0.actor = newValue } }
  }

  package var isOnItsWay: Bool { state.withLock { $0.isScheduled } }

  package func note(_ written: WrittenRows, by writer: ObjectIdentifier?) {
    if writer == own { return }
    let actor: (any Actor)? = state.withLock { state in
      state.written.add(written, schema)
      isNew.store(true, ordering: .releasing)
      guard let actor = state.actor, !state.isScheduled else { return nil }
      state.isScheduled = true
      return actor
    }
    // After the code that runs there now has returned or awaits something: once for all that comes until then.
    if let actor { Task.begin(on: actor) { [self] actor in deliver(on: actor) } }
  }

  private func deliver(on actor: isolated any Actor) {
    // First, so that what comes during the context's turn gives it another one.
    state.withLock { $0.isScheduled = false }
    context?.noticeOtherSaves()
  }

  var areThere: Bool { isNew.load(ordering: .acquiring) }

  /// nil when there is nothing new.
  func take() -> Written? {
    guard areThere else { return nil }
    return state.withLock { state in
      isNew.store(false, ordering: .releasing)
      defer { state.written = Written() }
      return state.written
    }
  }
}

extension ContextCore {
  /// Has the context told of others' writes from now on: it has read something, or is about to.
  func listen() {
    // Models of a gone context are shown nothing, and nobody would end it.
    guard news == nil, parent == nil, isAttached else { return }
    let news = ContextNews(for: self)
    news.actor = home
    self.news = news
    store.tell(news, isObserver: false)
  }

  /// Has the context told of others' writes where it belongs, by that actor's next turn.
  func belong(to actor: any Actor) {
    if home != nil { return }
    home = actor
    news?.actor = actor
    if let context, context.autosaveEnabled { context.autosaveEnabledChanged() }
  }

  /// Gives models what others have written, tells their observers, and does so in the drafts.
  func show(_ written: ContextNews.Written) {
    let models = storedModels(of: written)
    if models.isEmpty { return }
    tellingChanges(of: models) { refreshRows(of: models) }
    if keepsAncestors { takeChanges(of: models) }
    showInDrafts(models)
  }

  private func storedModels(of written: ContextNews.Written) -> [any PersistentModel] {
    let tables = written.unknown ?? Set(schema.entities.map(\.table))
    var models = tables.isEmpty ? [] : storedModels(of: tables)
    for (ordinal, keys) in written.keys where !tables.contains(schema.entities[ordinal].table) {
      models += keys.compactMap { existing(ordinal: ordinal, key: $0) }
    }
    // Those that are to be deleted too: what took one along may be gone, and the row with it.
    return models.filter { $0._$state.key > 0 && $0._$state.flags.isDisjoint(with: [.shell, .inserted]) }
  }

  /// Reads rows again, a statement a table. A bad one hides no other.
  private func refreshRows(of models: [any PersistentModel]) {
    for (ordinal, models) in Dictionary(grouping: models, by: { store.rootOrdinal($0._$state.ordinal) }) {
      var unread = Dictionary(models.map { ($0._$state.key, $0) }, uniquingKeysWith: { first, _ in first })
      let entity = schema.entities[ordinal]
      do {
        try readRows(entity, Array(unread.keys)) { error, key in
          store.logger.error("A model stays as it was", metadata: ["error": "\(error)"])
          unread[key] = nil
        } body: {
          unread[$0._$state.key] = nil
        }
        for model in unread.values { noteGone(model) }
      } catch {
        store.logger.error("Models stay as they were", metadata: ["model": "\(entity.name)", "error": "\(error)"])
      }
    }
  }

  /// Merges edits of properties that the store has other values of than they were made of, or
  /// drops them, by rule and policy.
  func takeChanges(of models: [any PersistentModel]) {
    guard models.contains(where: { !$0._$state.ancestors.isEmpty }) else { return }
    do {
      let all = try store.pool.read { try conflicts(models, $0) }
      let found = FoundConflicts(conflicts: all.compactMap { $0.without { keepsBeside($0, $1.index) } })
      takeMerged(found)
      if mergePolicy == .storeWins { try takeStored(found.undecided) }
    } catch {
      store.logger.error("Edits stay until the next save", metadata: ["error": "\(error)"])
    }
  }

  private func showInDrafts(_ models: [any PersistentModel]) {
    drafts.forEach { draft in
      let copies = models.compactMap { draft.existing(ordinal: $0._$state.ordinal, key: $0._$state.key) }.filter {
        $0._$state.flags.isDisjoint(with: [.shell, .inserted])
      }
      draft.tellingChanges(of: copies) { draft.copy(copies, refreshing: true) }
      draft.showInDrafts(copies)
    }
  }
}
