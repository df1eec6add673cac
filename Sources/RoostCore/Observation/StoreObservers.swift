package import RoostEngine
import Synchronization

/// Tells the observers of a store what was written to it, whoever wrote.
///
/// A save asks one atomic whether anybody listens, and that is all it does when nobody does.
package final class StoreObservers: Sendable {
  private struct Reference { weak var signal: ChangeSignal? }

  private struct State {
    var references: [ObjectIdentifier: Reference] = [:]
    /// Looks for writes of other programs, while anybody observes.
    var polling: Task<Void, Never>?
    /// Whether they are looked for although nobody observes.
    var keepsPolling = false
  }

  private let state = Mutex(State())
  private let count = Atomic<Int>(0)
  private let outsideWrites: OutsideWrites

  init(_ outsideWrites: OutsideWrites) { self.outsideWrites = outsideWrites }

  /// Whether others have written, and nobody knows yet.
  var haveOutsideWrites: Bool { outsideWrites.areNew }

  /// Whether others have written what a connection has just seen, and nobody knows yet.
  func areOutsideWritesSeen(by connection: Connection) -> Bool { outsideWrites.areSeen(by: connection) }

  package var observerCount: Int { count.load(ordering: .acquiring) }

  /// Whether writes of other programs are looked for.
  package var isPolling: Bool { state.withLock { $0.polling != nil } }

  func add(_ signal: ChangeSignal, onOutsideWrite: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.references[ObjectIdentifier(signal)] = Reference(signal: signal)
      count.store(state.references.count, ordering: .releasing)
      if state.polling == nil { state.polling = outsideWrites.poll(onOutsideWrite) }
    }
  }

  /// Has writes of other programs looked for as long as the store is there.
  func lookForWrites(onOutsideWrite: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.keepsPolling = true
      if state.polling == nil { state.polling = outsideWrites.poll(onOutsideWrite) }
    }
  }

  package func remove(_ signal: ChangeSignal) {
    state.withLock { state in
      state.references[ObjectIdentifier(signal)] = nil
      count.store(state.references.count, ordering: .releasing)
      if state.references.isEmpty, !state.keepsPolling {
        state.polling?.cancel()
        state.polling = nil
      }
    }
  }

  /// Whether every observer was told what there is to tell, for tests.
  package var areTold: Bool { state.withLock { !$0.references.values.contains { $0.signal?.isOnItsWay ?? false } } }

  /// Tells all observers but those of the context that wrote. nil tables: any may have changed.
  func post(_ tables: Set<String>?, by writer: ObjectIdentifier?) {
    let signals = state.withLock { $0.references.values.compactMap(\.signal) }
    for signal in signals { signal.note(tables, by: writer) }
  }
}

extension Store {
  package func observe(_ signal: ChangeSignal) {
    observers.add(signal) { [weak self] in self?.announceAny() }
  }

  /// Tells contexts and observers of what other programs have written, if they have.
  func noticeOutsideWrites() {
    if pool.isShared || configuration.isStoredInMemoryOnly { return }
    if observers.haveOutsideWrites { announceAny() }
  }

  /// Tells contexts and observers of what other programs have written, if a connection has just seen that.
  package func noticeOutsideWrites(_ connection: Connection) {
    if pool.isShared || configuration.isStoredInMemoryOnly { return }
    if observers.areOutsideWritesSeen(by: connection) { announceAny() }
  }

  /// Tells contexts and observers that anything may have been written.
  func announceAny() {
    generation.add(1, ordering: .acquiringAndReleasing)
    observers.post(nil, by: nil)
    CoreDataNotifications.wrote(self)
  }

  /// Tells all observers which tables were written.
  package func announce(_ tables: Set<String>) {
    CoreDataNotifications.wrote(self)
    if observers.observerCount == 0 { return }
    var tables = schema.tablesChanged(byDeletingFrom: tables)
    for join in schema.joinTables where tables.contains(join.name) {
      tables.formUnion([join.owner.table, join.destination.table])
    }
    observers.post(tables, by: nil)
  }

  /// Tells observers what a save of a context wrote.
  func announce(_ changes: SaveChanges, _ saved: SavedChanges, by writer: ContextCore) {
    CoreDataNotifications.wrote(self)
    if observers.observerCount == 0 { return }
    var written = Set(saved.rows.map(\.ordinal))
    for model in changes.updated { written.insert(model._$state.ordinal) }
    for list in changes.lists { written.insert(list.relationship.destination.ordinal) }
    var tables = Set(written.map { schema.entities[$0].table })
    for row in changes.joinRows.keys {
      guard let table = schema.joinTables.first(where: { $0.name == row.table }) else { continue }
      tables.formUnion([table.owner.table, table.destination.table])
    }
    let deleted = Set(changes.deleted.map { schema.entities[$0._$state.ordinal].table })
    tables.formUnion(schema.tablesChanged(byDeletingFrom: deleted))
    // Foreign keys may have changed rows that the context did not know of.
    writer.pending.observed?.note(tables)
    observers.post(tables, by: ObjectIdentifier(writer))
  }
}

extension SchemaInfo {
  /// The tables in which foreign keys change rows, or delete them, when rows of some tables are deleted; those included.
  func tablesChanged(byDeletingFrom tables: Set<String>) -> Set<String> {
    var changed = tables
    var waiting = Array(tables)
    while let table = waiting.popLast() {
      for entity in entities {
        for property in entity.relationships {
          guard property.column != nil, let relationship = property.relationship,
            relationship.destination.table == table, changed.insert(entity.table).inserted
          else { continue }
          // Wherever it leads, more than needed is told at worst.
          waiting.append(entity.table)
        }
      }
    }
    return changed
  }
}
