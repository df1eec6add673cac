package import RoostEngine
import RoostSQL
import Synchronization

/// Who is told of each write to a store.
package protocol WriteListener: AnyObject, Sendable {
  /// Called on the thread that wrote; `writer` is nil for a write that was not made by a context.
  func note(_ written: WrittenRows, by writer: ObjectIdentifier?)
  /// Whether somebody is still to be told on an actor, for tests.
  var isOnItsWay: Bool { get }
}

extension WriteListener {
  package var isOnItsWay: Bool { false }
}

/// Tells those who listen to a store what was written to it, whoever wrote.
///
/// A save asks one atomic whether anybody listens, and that is all it does when nobody does.
package final class StoreObservers: Sendable {
  private struct Reference {
    weak var listener: (any WriteListener)?
    /// Whether writes of other programs are looked for on its behalf.
    let isObserver: Bool
  }

  private struct State {
    var references: [ObjectIdentifier: Reference] = [:]
    /// Looks for writes of other programs, while anybody observes.
    var polling: Task<Void, Never>?
    /// How many have them looked for who are not listeners.
    var looks = 0

    mutating func poll(_ outsideWrites: OutsideWrites, _ onOutsideWrite: @escaping @Sendable () -> Void) {
      if polling == nil { polling = outsideWrites.poll(onOutsideWrite) }
    }

    /// Returns what is to be cancelled.
    mutating func endPollingIfUnneeded() -> Task<Void, Never>? {
      if looks > 0 || references.values.contains(where: \.isObserver) { return nil }
      defer { polling = nil }
      return polling
    }
  }

  private let state = Mutex(State())
  private let count = Atomic<Int>(0)
  private let outsideWrites: OutsideWrites
  /// How many writes are committed, or just about to be, that nobody was told of yet.
  private let untold = Atomic<Int>(0)

  init(_ outsideWrites: OutsideWrites) { self.outsideWrites = outsideWrites }

  /// Whether others have written, and nobody knows yet.
  var haveOutsideWrites: Bool { outsideWrites.areNew }

  /// Whether others have written what a connection has just seen, and nobody knows yet.
  func areOutsideWritesSeen(by connection: Connection) -> Bool { outsideWrites.areSeen(by: connection) }

  /// Whether all that has been committed in this process was told: what a statement finds, its reader knows of.
  package var isAllTold: Bool { untold.load(ordering: .acquiring) == 0 }

  /// To be called before a commit that is going to be told.
  package func commits() { untold.add(1, ordering: .acquiringAndReleasing) }

  /// To be called once it was told, or has failed.
  package func hasTold() { untold.subtract(1, ordering: .acquiringAndReleasing) }

  /// Whether anybody is told of writes, but for the context that writes, if that is one.
  package func isAnybodyListening(but isWriter: Bool = false) -> Bool {
    count.load(ordering: .acquiring) > (isWriter ? 1 : 0)
  }

  /// How many there are for whom other programs' writes are looked for.
  package var observerCount: Int { state.withLock { $0.references.values.count { $0.isObserver } } }

  /// Whether writes of other programs are looked for.
  package var isPolling: Bool { state.withLock { $0.polling != nil } }

  func add(_ listener: any WriteListener, isObserver: Bool, onOutsideWrite: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.references[ObjectIdentifier(listener)] = Reference(listener: listener, isObserver: isObserver)
      count.store(state.references.count, ordering: .releasing)
      if isObserver { state.poll(outsideWrites, onOutsideWrite) }
    }
  }

  /// Has writes of other programs looked for until ``endLook()``.
  func beginLook(onOutsideWrite: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.looks += 1
      state.poll(outsideWrites, onOutsideWrite)
    }
  }

  func endLook() {
    let polling = state.withLock { state in
      state.looks -= 1
      return state.endPollingIfUnneeded()
    }
    polling?.cancel()
  }

  package func remove(_ listener: any WriteListener) {
    let polling = state.withLock { state in
      state.references[ObjectIdentifier(listener)] = nil
      count.store(state.references.count, ordering: .releasing)
      return state.endPollingIfUnneeded()
    }
    polling?.cancel()
  }

  /// Whether every observer was told what there is to tell, for tests.
  package var areTold: Bool {
    state.withLock { !$0.references.values.contains { $0.listener?.isOnItsWay ?? false } }
  }

  /// Tells all who listen, also the context that wrote.
  func post(_ written: WrittenRows, by writer: ObjectIdentifier?) {
    let listeners = state.withLock { $0.references.values.compactMap(\.listener) }
    for listener in listeners { listener.note(written, by: writer) }
  }
}

extension ContextCore {
  /// Whether anybody is to be told which rows of a class a statement writes: this context only while it has models of
  /// its table, or of those that refer to it, all of which would be read again.
  package func isHeard(writing entity: EntityInfo) -> Bool {
    let tables = schema.tables(referringTo: [entity.table]).union([entity.table])
    let hasModels = schema.entities.contains { tables.contains($0.table) && !identities.isEmpty(ordinal: $0.ordinal) }
    return store.observers.isAnybodyListening(but: news != nil && !hasModels)
  }
}

extension Store {
  /// Has a listener told of each write from now on, until ``StoreObservers/remove(_:)`` or its end.
  ///
  /// `isObserver`: whether other programs' writes are looked for on its behalf. Who is no observer learns
  /// of them as soon as anybody does.
  package func tell(_ listener: any WriteListener, isObserver: Bool) {
    observers.add(listener, isObserver: isObserver) { [weak self] in self?.announceAny() }
  }

  /// Tells contexts and observers of what other programs have written, if they have.
  func noticeOutsideWrites() {
    if pool.isShared || configuration.isStoredInMemoryOnly { return }
    if observers.haveOutsideWrites { announceAny() }
  }

  /// Whether a connection has just seen what other programs have written, and nobody was
  /// told of: whoever asks is to tell.
  package func seesOutsideWrites(_ connection: Connection) -> Bool {
    !pool.isShared && !configuration.isStoredInMemoryOnly && observers.areOutsideWritesSeen(by: connection)
  }

  /// Tells contexts and observers that anything may have been written.
  package func announceAny() {
    generation.add(1, ordering: .acquiringAndReleasing)
    observers.post(.any, by: nil)
    CoreDataNotifications.wrote(self)
  }

  /// Tells those who listen what was written by no context. `written` is nil when nobody listened before.
  package func announce(_ written: WrittenRows?, to tables: Set<String>) {
    CoreDataNotifications.wrote(self)
    if !observers.isAnybodyListening() { return }
    if var written {
      // What is no table of rows, such as a full-text index.
      written.addUnknown(tables.subtracting(schema.tablesOfRows))
      return observers.post(written, by: nil)
    }
    var tables = tables.union(schema.tables(referringTo: tables))
    for join in schema.joinTables where tables.contains(join.name) {
      tables.formUnion([join.owner.table, join.destination.table])
    }
    observers.post(WrittenRows(unknown: tables), by: nil)
  }

  /// Tells those who listen what a save of a context wrote. `others`: the tables of rows
  /// that the context does not know of.
  func announce(_ saved: SavedChanges, _ others: Set<String>, by writer: ContextCore) {
    CoreDataNotifications.wrote(self)
    defer { observers.hasTold() }
    writer.pending.observed?.note(others)
    if let written = saved.recorded.written {
      observers.post(written, by: ObjectIdentifier(writer))
    } else if observers.isAnybodyListening(but: true) {
      // Who listens by now may have begun before the commit.
      observers.post(.any, by: ObjectIdentifier(writer))
    }
  }
}
