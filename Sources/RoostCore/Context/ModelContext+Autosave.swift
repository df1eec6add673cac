import Foundation
import Logging

extension ModelContext {
  func autosaveEnabledChanged() {
    if !isMain {
      if autosaveEnabled { store.logger.warning("autosaveEnabled has an effect in a container's mainContext only") }
      return
    }
    pending.onChange = nil
    if !autosaveEnabled { return }
    if pending.hasChanges { scheduleAutosave() } else { awaitChange() }
  }

  /// Has the next change start the task that saves.
  func awaitChange() {
    if isMain && autosaveEnabled { pending.onChange = { [weak self] in self?.scheduleAutosave() } }
  }

  private func scheduleAutosave() {
    let reference = MainContextReference(context: self)
    Task { @MainActor in reference.context?.autosave() }
  }

  private func autosave() {
    guard autosaveEnabled else { return }
    do {
      try save()
    } catch {
      autosaveError = error
      store.logger.error("Autosave failed; the changes stay for the next save", metadata: ["error": "\(error)"])
      NotificationCenter.default.post(name: Self.autosaveFailed, object: self)
    }
    // After a failure the next change tries again.
    awaitChange()
  }
}

struct MainContextReference: @unchecked Sendable {
  // SAFETY: made and read on the main actor alone, to which a main context belongs.
  weak var context: ModelContext?
}
