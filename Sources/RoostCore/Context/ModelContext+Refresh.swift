import Logging
import RoostEngine
import RoostSQL

// What others have written, or a statement of this context's own, which says nothing of rows.
extension ModelContext {
  /// Gives the models of some tables what is stored now.
  package func refresh(_ tables: Set<String>) {
    let models = bareCore.storedModels(of: tables)
    do {
      try bareCore.tellingChanges(of: models) { try bareCore.readAgain(models) }
    } catch {
      store.logger.error("Refreshing models failed", metadata: ["tables": "\(tables)", "error": "\(error)"])
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
