import Foundation
import Logging
import Synchronization

/// A scratch pad for models: what is inserted, edited and deleted in it reaches the store when it is saved.
///
/// A context belongs to one actor. Another actor makes its own with `ModelContext(container)`, or is a
/// ``ModelActor()``. It keeps its container open.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(Note(title: "Swifts"))
/// try context.save()
/// ```
/// Source: SwiftData's `ModelContext`.
public class ModelContext: Equatable, SendableMetatype {
  /// The container whose stores the context reads and writes.
  public var container: ModelContainer {
    switch owner {
    case .context(let container): return container
    case .parent(let parent): return parent.container
    case .main(let reference):
      if let container = reference.container { return container }
      let container = ModelContainer(of: store, like: reference.parts)
      reference.container = container
      return container
    }
  }

  enum Owner {
    /// The context keeps its container.
    case context(ModelContainer)
    /// A draft keeps its parent.
    case parent(ModelContext)
    /// The container keeps its main context, which keeps the store alone.
    case main(MainContainer)
  }

  final class MainContainer {
    weak var container: ModelContainer?
    let parts: ModelContainer.Parts

    init(_ container: ModelContainer) {
      self.container = container
      parts = container.parts
    }
  }

  let owner: Owner

  /// Who is stamped on the history of this context's saves.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// Whose its changes are in history.
  package var historyAuthor: HistoryAuthor {
    if !store.recordsHistory { return HistoryAuthor() }
    let context = contextIdentifier ?? editingState.id.uuidString
    contextIdentifier = context
    return HistoryAuthor(author: editingState.author, context: context)
  }

  /// What a store knows the context by.
  public var editingState = EditingState() {
    didSet { contextIdentifier = nil }
  }

  /// The identifier of ``editingState`` as text, which takes long to make.
  private var contextIdentifier: String?

  /// Whether the context saves by itself; true for ``ModelContainer/mainContext``, and false for all others.
  ///
  /// The context saves in a task of its actor that its first change since the last save starts: after the code that
  /// made the change has returned or awaits something. That needs no run loop, but an actor that gets on: a program
  /// that ends before must save itself. When a save fails, the changes stay for the next one; ``autosaveError`` and the
  /// log have the reason, and ``autosaveFailed`` is posted.
  ///
  /// That is the actor that the context was made for by ``init(_:isolation:)``, its ``ModelActor()``, or the main actor
  /// for changes that its code makes, after which other actors must not use the context. Others' changes wait for
  /// ``save()``, and the log says so.
  public var autosaveEnabled = false {
    didSet { autosaveEnabledChanged() }
  }

  /// The save to come.
  var autosaveTurn: AutosaveTurn?
  /// Whether the context is an executor's, and so its actor's.
  var isHandedOver = false

  /// Why the context could not save by itself the last time; nil once it has saved.
  ///
  /// ```swift
  /// for await _ in NotificationCenter.default.notifications(named: ModelContext.autosaveFailed, object: context) {
  ///   show(context.autosaveError)
  /// }
  /// ```
  public internal(set) var autosaveError: (any Error)?

  /// What the context shares with its models, once those that wait are inserted: whoever
  /// enters the context begins here.
  package var core: ContextCore {
    bareCore.insertWaiting()
    return bareCore
  }
  /// The same while the context itself is at work, as in a save, when nobody may be inserted.
  let bareCore: ContextCore
  var overlay: PendingOverlay?
  /// Mistakes that a call which cannot throw has made; thrown by the next save.
  var reported: [SwiftDataError] = []
  /// How many calls of `transaction(block:)` are under way, one inside the other.
  var transactionDepth = 0
  /// Whether observers are being told that a save is about to begin.
  var isAnnouncingSave = false
  /// Whether the models are being made what a save wrote.
  package var isAdopting = false
  /// The store's saves that what was read is not older than.
  private(set) var seenGeneration: Int

  package var store: Store { bareCore.store }

  var pending: PendingChanges { bareCore.pending }

  /// Makes a context without changes. Nothing is read until it is asked for.
  public convenience init(_ container: ModelContainer) {
    self.init(owner: .context(container), core: ContextCore(store: container.store))
  }

  init(owner: Owner, core: ContextCore) {
    self.owner = owner
    bareCore = core
    // Nothing was read yet that could be old.
    seenGeneration = core.store.generation.load(ordering: .acquiring)
    core.attach(self)
  }

  convenience init(mainOf container: ModelContainer) {
    self.init(owner: .main(MainContainer(container)), core: ContextCore(store: container.store))
    core.belong(to: MainActor.shared)
    autosaveEnabled = true
    autosaveEnabledChanged()
  }

  /// Makes a context for the code of one actor, which shows by that actor's next turn what others have written.
  ///
  /// ```swift
  /// let context = ModelContext(container, isolation: #isolation)
  /// ```
  /// ``ModelContainer/mainContext`` and a ``ModelActor()``'s context do so as they are. Others show it from their next
  /// fetch on.
  public convenience init(_ container: ModelContainer, isolation: isolated (any Actor)?) {
    self.init(container)
    if let isolation { core.belong(to: isolation) }
  }

  var isMain: Bool {
    if case .main = owner { true } else { false }
  }

  deinit {
    undoManager?.removeAllActions(withTarget: self)
    overlay?.close()
    bareCore.detach()
  }

  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

  /// Whether a save would write anything.
  public var hasChanges: Bool {
    core.pending.hasChanges
  }

  /// The models inserted since the last save.
  public var insertedModelsArray: [any PersistentModel] {
    core.pending.insertedModels.models
  }

  /// The stored models edited since the last save.
  public var changedModelsArray: [any PersistentModel] {
    core.pending.changedModels.models
  }

  /// The stored models that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] {
    core.pending.deletedModels.models
  }

  /// Keeps a mistake for the next save to throw, and says it in the log at once.
  func report(_ error: SwiftDataError) {
    store.logger.error("\(error)")
    reported.append(error)
  }

  /// Has models shown as others have saved them since this was last asked.
  package func noticeOtherSaves() {
    if bareCore.news == nil { bareCore.listen() }
    // A fetch sees its own writes by itself. What pending changes mean beside them must be known before it.
    if bareCore.showsChanges { store.noticeOutsideWrites() }
    parent?.noticeOtherSaves()
    bareCore.source.noticeChanges(for: bareCore)
    let generation = store.generation.load(ordering: .acquiring)
    // Before the news are taken: whatever counts as told is among them.
    let isAllTold = store.observers.isAllTold
    let written = bareCore.news?.take()
    guard generation != seenGeneration || written != nil else { return }
    seenGeneration = generation
    bareCore.editing {
      if let written { bareCore.show(written) }
      guard isAllTold, let written else { return bareCore.showStoredRelationships() }
      if written.changesRelationships { bareCore.showStoredRelationships(of: written.tables) }
    }
    bareCore.drafts.forEach { $0.context?.noticeOtherSaves() }
  }

  func ownSaveEnded(_ saved: SavedChanges) {
    let othersSaved = saved.generation != seenGeneration + 1
    seenGeneration = saved.generation
    if othersSaved || saved.hasChangedOthers { bareCore.showStoredRelationships() }
  }
}

// SAFETY: unavailable, so that nothing is ever sent: it is there to make the compiler say why.
@available(*, unavailable, message: "contexts cannot be shared across concurrency contexts")
extension ModelContext: @unchecked Sendable {}
