import Dispatch
import Foundation
import Logging

extension ModelContext {
  func autosaveEnabledChanged() {
    pending.onChange = nil
    if !autosaveEnabled { return }
    if pending.hasChanges { scheduleAutosave() } else { awaitChange() }
  }

  /// Has the next change start the task that saves; nothing is left that one which was started before is to save.
  func awaitChange() {
    autosaveTurn?.context = nil
    if autosaveEnabled { pending.onChange = { [weak self] in self?.scheduleAutosave() } }
  }

  /// Leaves all to come to the actor of an executor, also where the code that makes it is another actor's.
  func handOver() {
    autosaveTurn?.context = nil
    isHandedOver = true
  }

  private func scheduleAutosave() {
    // The actor takes its turn once it uses the context.
    if isHandedOver, bareCore.home == nil { return }
    guard let actor = bareCore.home ?? (MainQueue.isCurrent ? MainActor.shared : nil) else {
      return store.logger.warning(
        """
        A context with autosaveEnabled did not save by itself, as it belongs to no actor: save it yourself, or make it \
        by ModelContext(container, isolation: #isolation)
        """)
    }
    let turn = AutosaveTurn(self)
    autosaveTurn = turn
    Task.begin(on: actor) { _ in
      turn.context?.autosave()
      turn.context = nil
    }
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

/// A save that an actor is to make of a context's changes. It keeps the context until then, as nobody else need.
final class AutosaveTurn: @unchecked Sendable {
  // SAFETY: made, ended and read by code of one actor: that which the context is used on. One that was made on the main
  // actor is ended there as the context is handed to an executor, before the executor's actor begins.
  var context: ModelContext?

  init(_ context: ModelContext) { self.context = context }
}
