/// Counts the pending changes of a context by entity, while somebody observes it.
package final class ContextChanges {
  private struct Reference { weak var signal: ChangeSignal? }

  private let schema: SchemaInfo
  private var counts: [Int]
  private var references: [Reference] = []
  /// Whether the observers have been told since they last looked: once is enough for all edits of a turn.
  private var isAnnounced = false

  init(_ schema: SchemaInfo) {
    self.schema = schema
    counts = Array(repeating: 0, count: schema.entities.count)
  }

  package func add(_ signal: ChangeSignal) {
    references.removeAll { $0.signal == nil }
    references.append(Reference(signal: signal))
    isAnnounced = false
  }

  /// A number that is another one after changes of one of the entities.
  package func count(of ordinals: Set<Int>) -> Int { ordinals.reduce(0) { $0 + counts[$1] } }

  func note(_ model: any PersistentModel) {
    counts[model._$state.ordinal] += 1
    announce()
  }

  func note(_ row: JoinRow) {
    guard let table = schema.joinTables.first(where: { $0.name == row.table }) else { return }
    counts[table.owner.ordinal] += 1
    counts[table.destination.ordinal] += 1
    announce()
  }

  func note(_ tables: Set<String>) {
    for entity in schema.entities where tables.contains(entity.table) { counts[entity.ordinal] += 1 }
    announce()
  }

  /// Has the observers look soon.
  func announce() {
    if isAnnounced { return }
    isAnnounced = true
    for reference in references { reference.signal?.schedule() }
  }

  /// An observer is looking: the next change is news again.
  package func observersLook() { isAnnounced = false }
}

extension ContextCore {
  /// The changes of this context and of those it shows the changes of, counted from now on.
  package func observedChanges() -> [ContextChanges] {
    layers.map { layer in
      if let changes = layer.pending.observed { return changes }
      let changes = ContextChanges(schema)
      layer.pending.observed = changes
      return changes
    }
  }
}
