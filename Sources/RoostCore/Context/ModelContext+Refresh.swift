import Logging
import RoostEngine
import RoostSQL

// What a statement has written, without a word about which rows.
extension ModelContext {
  /// Gives the models of some tables what is stored now.
  func refresh(_ tables: Set<String>) {
    for root in store.schema.entities where root.superentity == nil && tables.contains(root.table) {
      do {
        try core.refresh(root)
      } catch {
        store.logger.error("Refreshing models failed", metadata: ["entity": "\(root.name)", "error": "\(error)"])
      }
    }
    core.refreshChangedLists(of: tables)
    // What it shows of rows with pending changes was stored before.
    guard overlay != nil else { return }
    overlay?.close()
    overlay = nil
    for model in pending.all { model._$state.flags.insert(.stale) }
  }
}

extension ContextCore {
  /// Reads the rows of all live models of an inheritance chain again, as far as they were read.
  fileprivate func refresh(_ root: EntityInfo) throws {
    var models: [Int64: any PersistentModel] = [:]
    for case let model as any PersistentModel in identities.neighbours(of: 0, ordinal: root.ordinal, limit: .max)
    where model._$state.key > 0 && model._$state.flags.isDisjoint(with: [.shell, .inserted, .deleted]) {
      models[model._$state.key] = model
    }
    guard !models.isEmpty else { return }
    for model in models.values { model._$announceAll(willChange: true) }
    defer { for model in models.values { model._$announceAll(willChange: false) } }
    var missing = Set(models.keys)
    try readRows(root, Array(models.keys)) { missing.remove($0._$state.key) }
    for key in missing { models[key]?._$state.flags.insert(.vanished) }
  }

  /// Gives lists with pending changes the members that they have now; those without are read again anyway.
  fileprivate func refreshChangedLists(of tables: Set<String>) {
    for owner in pending.changedModels {
      for list in schema.entities[owner._$state.ordinal].lists {
        guard let relationship = list.relationship, let table = ListTable(relationship)?.table,
          tables.contains(table)
        else { continue }
        let former = owner._$edit(list.index, .collect)
        guard former.wasLoaded else { continue }
        owner._$announce(list.index, willChange: true)
        owner._$edit(list.index, .forgetMembers)
        if former.isRearranged { keepOrder(former.keys, of: owner, list.index) }
        owner._$announce(list.index, willChange: false)
      }
    }
  }

  /// Reads a list, and has it in the order that the program gave it, with newcomers behind.
  func keepOrder(_ former: [Int64], of owner: any PersistentModel, _ index: Int) {
    load(owner, index)
    let keys = owner._$edit(index, .collect).keys
    let (members, known) = (Set(keys), Set(former))
    owner._$edit(index, .setKeys(former.filter(members.contains) + keys.filter { !known.contains($0) }))
  }
}
