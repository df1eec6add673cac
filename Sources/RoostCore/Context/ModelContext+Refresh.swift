import Logging
import RoostEngine
import RoostSQL

// What a statement has written, without a word about which rows.
extension ModelContext {
  /// Gives the models of some tables what is stored now.
  package func refresh(_ tables: Set<String>) {
    for root in store.schema.entities where root.superentity == nil && tables.contains(root.table) {
      do {
        try core.refresh(root)
      } catch {
        store.logger.error("Refreshing models failed", metadata: ["entity": "\(root.name)", "error": "\(error)"])
      }
    }
    // What it shows of rows with pending changes was stored before.
    forgetOverlay()
  }

  /// Has the next query shown all pending changes anew.
  func forgetOverlay() {
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
    for key in missing { models[key].map { noteGone($0) } }
  }
}
