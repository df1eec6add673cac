import Logging
public import Observation
public import RoostCore
import Synchronization

/// Tells when a container's store has new history: of some models, or by some authors.
///
/// ```swift
/// let observer = try HistoryObserver(observedModels: [Note.self], authors: ["widget"], modelContainer: container)
/// for await _ in Observations({ observer.eventCounter }) { try importWidgetsNotes() }
/// ```
/// Writes of this program are noticed at once, those of other programs as
/// ``ModelConfiguration/StoreOptions/pollingInterval`` says. Whoever observes ``eventCounter`` is told on the
/// actor that made the observer; one that was made on no actor looks when the counter is read. Source:
/// SwiftData's `HistoryObserver`.
public final class HistoryObserver: Observable, Sendable {
  private struct State {
    /// The number of the last transaction that was looked at.
    var last: Int64
    var events = 0
    /// Whether the last look failed, and something may have been missed.
    var isBehind = false
  }

  /// The container whose store is observed.
  public let modelContainer: ModelContainer
  /// The models whose changes count, with their subclasses; all if there are none.
  public let observedModels: [any PersistentModel.Type]
  /// Whose changes count: the contexts' ``ModelContext/author``; everybody's if there is none.
  public let authors: Set<String>

  private let registrar = ObservationRegistrar()
  private let signal: ChangeSignal
  private let state: Mutex<State>

  /// Observes from the places in `historyTokens` on, by the stores' identifiers, or from now on.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired`` when transactions behind a token were deleted,
  ///   ``SwiftDataError/invalidTransactionFetchRequest`` where nothing is recorded, or what the database reports.
  public init(
    historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
    authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    let store = modelContainer.store
    self.modelContainer = modelContainer
    self.observedModels = observedModels
    self.authors = authors
    let token = historyTokens?[store.identifier] as? DefaultHistoryToken
    state = Mutex(State(last: 0))
    signal = ChangeSignal(actor: isolation, own: nil)
    signal.attach(self)
    signal.watch(Set(store.schema.entities.map(\.table)))
    // Before the first look, so that nothing that is written meanwhile is missed.
    store.tell(signal, isObserver: true)
    let last = try store.historyNumber(token)
    state.withLock { $0.last = last }
    // Behind a token there may be something already.
    if token != nil { look() }
  }

  deinit { modelContainer.store.observers.remove(signal) }

  /// How often there was something new that counts: several transactions may be one event.
  ///
  /// So are transactions that were deleted, or were too old or too many, before the observer looked at them: any of
  /// them may have counted. Whoever fetches those behind a token of theirs is told that it has expired.
  public var eventCounter: Int {
    registrar.access(self, keyPath: \.eventCounter)
    if signal.hasWritten || state.withLock(\.isBehind) { look() }
    return state.withLock { $0.events }
  }

  private func look() {
    _ = signal.takeWritten()
    let store = modelContainer.store
    let ordinals = observedModels.isEmpty ? nil : Set(observedModels.flatMap(store.ordinals(of:)))
    do {
      let found = try store.newHistory(after: state.withLock { $0.last }, of: ordinals, by: authors)
      let isNew = state.withLock { state in
        state.isBehind = false
        guard found.last > state.last else { return false }
        state.last = found.last
        return found.isConcerned
      }
      if !isNew { return }
      registrar.withMutation(of: self, keyPath: \.eventCounter) { state.withLock { $0.events += 1 } }
    } catch {
      state.withLock { $0.isBehind = true }
      store.logger.error("Observing history failed", metadata: ["error": "\(error)"])
    }
  }
}

extension HistoryObserver: ChangeObserver {
  package func changesArrived() { look() }
}

extension Store {
  fileprivate func ordinals(of type: any PersistentModel.Type) -> [Int] {
    schema.entity(for: type)?.selfAndDescendants.map(\.ordinal) ?? []
  }

  /// The number of the transaction that a token is of, which must be there still; that of the last one for none.
  fileprivate func historyNumber(_ token: DefaultHistoryToken?) throws -> Int64 {
    try reading { connection, _ in
      guard let token else { return try HistoryTables.lastNumber(connection) ?? 0 }
      return try checkedNumber(of: token, connection)
    }
  }

  /// The last transaction, and whether one behind a number is of some entities (nil for all), and by some authors, or
  /// may have been, as it was deleted.
  fileprivate func newHistory(
    after number: Int64, of ordinals: Set<Int>?, by authors: Set<String>
  ) throws -> (last: Int64, isConcerned: Bool) {
    try reading { connection, reader in
      let floor = try historyFloor(connection)
      var (last, isConcerned) = (max(number, floor), floor > number)
      try transactions(after: last, connection) { row, packed in
        last = row.number
        if isConcerned || !(authors.isEmpty || row.author.map(authors.contains) ?? false) { return }
        // A migration may have changed any model's rows.
        guard let ordinals, row.migration == nil else { return isConcerned = true }
        isConcerned = try reader.hasRecord(of: row, packed()) { record in
          reader.ordinal(of: record).map(ordinals.contains) ?? false
        }
      }
      return (last, isConcerned)
    }
  }
}
