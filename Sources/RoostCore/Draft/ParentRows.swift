/// The models of a draft's parent, which are the draft's rows.
final class ParentRows: RowSource {
  private let parent: ContextCore
  /// How many changes the parents had made when this was last asked.
  private var seenVersion = 0

  init(_ parent: ContextCore) { self.parent = parent }

  // A draft's model that it did not insert is a copy of its parent's.
  func mayHaveRow(key: Int64) -> Bool { true }

  func knows(ordinal: Int, key: Int64) -> Bool { parent.knows(ordinal: ordinal, key: key) }

  // What the parent deletes later a draft that has the model is not told of.
  func keeps(_ model: any PersistentModel) -> Bool {
    parent.existing(ordinal: model._$state.ordinal, key: model._$state.key).map { parent.isThere($0) } ?? true
  }

  // A row that the parent is to delete is there until that saves.
  func shows(_ model: any PersistentModel, in core: ContextCore) -> Bool { core.isThere(model) }

  func noticeChanges(for core: ContextCore) {
    parent.source.noticeChanges(for: parent)
    parent.insertWaiting()
    let version = parent.layers.reduce(0) { $0 + $1.pending.version }
    if version == seenVersion { return }
    seenVersion = version
    showParentsValues(in: core)
    core.showStoredRelationships()
  }

  /// Gives the draft's models what the parent has by now, as an edit or a rollback there made it.
  private func showParentsValues(in core: ContextCore) {
    // Those that are to be deleted too: a cascade may reach them no more.
    let models = core.storedModels(of: Set(core.schema.entities.map(\.table)))
    core.tellingChanges(of: models) { core.copy(models, refreshing: true) }
  }

  func fire(_ model: some PersistentModel, _ index: Int, in core: ContextCore) throws { core.copy(model, index) }

  func fireThrowing(_ model: some PersistentModel, _ index: Int, in core: ContextCore) throws {
    if let original = core.original(of: model) { try parent.readThrough(original, index) }
    core.copy(model, index)
  }

  // The parent reads its own for all siblings.
  func readLists(of models: [any PersistentModel], isCascade: Bool, in core: ContextCore) {}

  func readRows(
    _ entity: EntityInfo, _ keys: [Int64], in core: ContextCore, _ body: (any PersistentModel) -> Void
  ) throws {
    let originals =
      entity.isMixed
      ? parent.mixedModels(entity, keys)
      : keys.map { parent.model(entity.type, ordinal: entity.ordinal, key: $0) }
    let models = originals.map { original in
      let kind = core.schema.entities[original._$state.ordinal]
      return core.model(kind.type, ordinal: kind.ordinal, key: original._$state.key) as any PersistentModel
    }
    core.copy(models, refreshing: false)
    for model in models where !model.isDeleted { body(model) }
  }

  func readAgain(_ models: [any PersistentModel], in core: ContextCore) throws {
    try parent.readAgain(models.compactMap { core.original(of: $0) })
    core.copy(models, refreshing: true)
  }

  func readAgain(of tables: Set<String>) throws { try parent.readAgain(of: tables) }

  func takenKeys(_ keys: [Int64], of root: EntityInfo) throws -> [Int64] { [] }
}
