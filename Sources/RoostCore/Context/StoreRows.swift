import Logging
import RoostEngine
import RoostSQL

/// The rows of a store.
final class StoreRows: RowSource {
  private let store: Store

  init(_ store: Store) { self.store = store }

  func mayHaveRow(key: Int64) -> Bool { key > 0 }
  func knows(ordinal: Int, key: Int64) -> Bool { false }
  func keeps(_ model: any PersistentModel) -> Bool { true }
  func shows(_ model: any PersistentModel, in core: ContextCore) -> Bool { true }
  func noticeChanges(for core: ContextCore) {}

  func fire(_ model: some PersistentModel, _ index: Int, in core: ContextCore) throws {
    try core.fireStored(model, index)
  }

  func fireThrowing(_ model: some PersistentModel, _ index: Int, in core: ContextCore) throws {
    try core.fireStored(model, index)
  }

  /// A single model's is left to whoever asks for it, and has it read with those of siblings; but not in a cascade,
  /// which may be a chain of single models.
  func readLists(of models: [any PersistentModel], isCascade: Bool, in core: ContextCore) {
    for (ordinal, models) in Dictionary(grouping: models, by: { $0._$state.ordinal }) {
      for list in core.schema.entities[ordinal].lists {
        let unread = models.filter { !$0._$edit(list.index, .collect).wasLoaded }
        guard unread.count > (isCascade ? 0 : 1), let relationship = list.relationship else { continue }
        let owners = Dictionary(unread.map { ($0._$state.key, $0) }, uniquingKeysWith: { first, _ in first })
        do {
          let members = try store.members(of: relationship, owners: owners.keys.filter { $0 > 0 })
          core.setMembers(of: owners, list.index, relationship, stored: members)
        } catch {
          // Each is read once more when it is asked for, which says which one is bad.
          store.logger.error("Reading related models failed", metadata: ["error": "\(error)"])
        }
      }
    }
  }

  func readRows(
    _ entity: EntityInfo, _ keys: [Int64], in core: ContextCore, _ body: (any PersistentModel) -> Void
  ) throws {
    try core.readingRows { connection in
      let statement: Statement
      if keys.count == 1 {
        statement = try connection.statement(store.statements(entity).selectOne)
        statement.bind(keys[0], at: 1)
      } else {
        statement = try connection.statement(store.statements(entity).selectMany)
        statement.bind(keys.jsonArray, at: 1)
      }
      defer { statement.reset() }
      var rows = _ModelRows(core, entity, statement)
      func read<Model: PersistentModel>(_ type: Model.Type) throws {
        for model in try Model._$models(&rows) { body(model) }
      }
      try read(entity.type)
    }
  }

  func readAgain(_ models: [any PersistentModel], in core: ContextCore) throws {
    for (ordinal, models) in Dictionary(grouping: models, by: { store.rootOrdinal($0._$state.ordinal) }) {
      try core.readRows(core.schema.entities[ordinal], of: models)
    }
  }

  func readAgain(of tables: Set<String>) throws {}

  func takenKeys(_ keys: [Int64], of root: EntityInfo) throws -> [Int64] { try store.existing(keys, of: root) }
}
