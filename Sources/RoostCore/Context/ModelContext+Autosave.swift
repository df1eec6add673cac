import Dispatch
import Foundation
import Logging

extension ModelContext {
  func autosaveEnabledChanged() {
    pending.onChange = nil
    if !autosaveEnabled { return }
    if MainQueue.isCurrent { bareCore.belong(to: MainActor.shared) }
    if pending.hasChanges { scheduleAutosave() } else { awaitChange() }
  }

  /// Has the next change start the task that saves.
  func awaitChange() {
    if autosaveEnabled { pending.onChange = { [weak self] in self?.scheduleAutosave() } }
  }

  private func scheduleAutosave() {
    guard let home = bareCore.home else {
      return store.logger.warning(
        """
        A context with autosaveEnabled did not save by itself, as it belongs to no actor: save it yourself, or make it \
        by ModelContext(container, isolation: #isolation)
        """)
    }
    let reference = ContextReference(context: self)
    Task.begin(on: home) { _ in reference.context?.autosave() }
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

/// The queue that the main actor's code runs on.
private enum MainQueue {
  private static let mark: DispatchSpecificKey<Bool> = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  /// Whether the code that runs is the main actor's: on the main thread, or where another one serves its queue, as on
  /// Linux in programs with an asynchronous `main`.
  static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true }
}

struct ContextReference: @unchecked Sendable {
  // SAFETY: made and read on the actor alone to which the context belongs.
  weak var context: ModelContext?
}
