import RoostCore

/// Tells one reader when what some tables hold may be something else, in the store or by a context's unsaved changes.
///
/// It belongs to no actor: its reader is woken wherever it waits, and looks there.
final class TableWatch {
  let context: ModelContext
  private let signal: ChangeSignal
  private let waiter = ChangeWaiter()
  /// The changes of the context, and of its parents if it is a draft.
  private let edits: [ContextChanges]
  /// The entities of the tables.
  private(set) var ordinals: Set<Int> = []
  private var seenCount = 0

  init(_ context: ModelContext, _ tables: Set<String> = []) {
    self.context = context
    signal = ChangeSignal(actor: nil, own: context.core)
    edits = context.core.observedChanges()
    signal.add(waiter)
    for edits in edits { edits.add(signal) }
    context.store.tell(signal, isObserver: true)
    watch(tables)
  }

  deinit { context.store.observers.remove(signal) }

  /// Says which tables concern the reader, who reads them after that.
  func watch(_ tables: Set<String>) {
    signal.watch(tables)
    ordinals = Set(context.store.schema.entities.filter { tables.contains($0.table) }.map(\.ordinal))
    seenCount = count
  }

  /// Whether the reader is to look: nil when not, and else what others wrote to the tables.
  func takeChanges() -> OthersWrites? {
    for edits in edits { edits.observersLook() }
    if signal.takeOthersWrote() { context.noticeOtherSaves() }
    // A context that is taking a save over has models of which rows and keys do not agree yet.
    if context.isAdopting { return nil }
    for layer in context.core.layers { layer.insertWaiting() }
    let written = signal.takeWritten()
    if written.tables.isEmpty, count == seenCount { return nil }
    seenCount = count
    return written
  }

  /// Waits until there may be changes, or the task is cancelled.
  func wait(isolation: isolated (any Actor)?) async { await waiter.wait(isolation: isolation) }

  private var count: Int { edits.reduce(0) { $0 + $1.count(of: ordinals) } }
}
