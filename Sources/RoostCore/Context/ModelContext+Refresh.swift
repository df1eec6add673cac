import Logging
import RoostEngine
import RoostSQL

// What a statement has written, without a word about which rows.
extension ModelContext {
  /// Gives the models of some tables what is stored now.
  package func refresh(_ tables: Set<String>) {
    for root in store.schema.entities where root.superentity == nil && tables.contains(root.table) {
      do {
        try bareCore.refresh(root)
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
    let models = identities.neighbours(of: 0, ordinal: root.ordinal, limit: .max)
      .compactMap { $0 as? any PersistentModel }
      .filter { $0._$state.key > 0 && $0._$state.flags.isDisjoint(with: [.shell, .inserted, .deleted]) }
    for model in models { model._$announceAll(willChange: true) }
    defer { for model in models { model._$announceAll(willChange: false) } }
    try readRows(root, of: models)
  }
}
