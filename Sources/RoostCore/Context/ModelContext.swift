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
  public let container: ModelContainer

  /// Who is stamped on the history of this context's saves.
  public var author: String? {
    get { editingState.author }
    set { editingState.author = newValue }
  }

  /// What a store knows the context by.
  public var editingState = EditingState()

  /// Whether the context saves by itself; false except in ``ModelContainer/mainContext``.
  public var autosaveEnabled = false

  let core: ContextCore
  var overlay: PendingOverlay?
  /// Mistakes that a call which cannot throw has made; thrown by the next save.
  var reported: [SwiftDataError] = []
  private var seenGeneration = 0

  var store: Store { core.store }

  var pending: PendingChanges {
    get { core.pending }
    _modify { yield &core.pending }
  }

  /// Makes a context without changes. Nothing is read until it is asked for.
  public init(_ container: ModelContainer) {
    self.container = container
    core = ContextCore(store: container.store)
    core.attach(self)
  }

  deinit {
    overlay?.close()
    core.detach()
  }

  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

  /// Whether a save would write anything.
  public var hasChanges: Bool {
    core.settle()
    return pending.hasChanges
  }

  /// The models inserted since the last save.
  public var insertedModelsArray: [any PersistentModel] {
    core.settle()
    return pending.insertedModels
  }

  /// The stored models edited since the last save.
  public var changedModelsArray: [any PersistentModel] {
    core.settle()
    return pending.changedModels
  }

  /// The stored models that the next save deletes.
  public var deletedModelsArray: [any PersistentModel] {
    core.settle()
    return pending.deletedModels
  }

  /// Keeps a mistake for the next save to throw, and says it in the log at once.
  func report(_ error: SwiftDataError) {
    store.logger.error("\(error)")
    reported.append(error)
  }

  /// Forgets members that were read before another context saved.
  func noticeOtherSaves() {
    let generation = store.generation.load(ordering: .acquiring)
    guard generation != seenGeneration else { return }
    seenGeneration = generation
    core.forgetMembers()
  }

  func ownSaveEnded(generation: Int) { seenGeneration = generation }
}

@available(*, unavailable, message: "contexts cannot be shared across concurrency contexts")
extension ModelContext: @unchecked Sendable {}
