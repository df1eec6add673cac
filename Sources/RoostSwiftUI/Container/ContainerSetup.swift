#if canImport(SwiftUI)
  import Foundation
  import Logging
  import RoostCore
  import RoostMigration

  /// What a modifier says of the container that it makes.
  struct ContainerOptions {
    let modelTypes: [any PersistentModel.Type]
    let inMemory: Bool
    let isAutosaveEnabled: Bool
    let isUndoEnabled: Bool
    let onSetup: (Result<ModelContainer, any Error>) -> Void
  }

  /// The container of a modifier: made once, and kept as long as the view or scene is there.
  @MainActor final class ContainerSetup {
    private var container: ModelContainer?
    private var isDone = false
    /// Used where the surroundings have none.
    private lazy var ownUndoManager = UndoManager()

    /// The container's main context; nil when the container could not be opened.
    func context(_ options: ContainerOptions, undoManager: UndoManager?) -> ModelContext? {
      if !isDone {
        // First, as `onSetup` may have views drawn.
        isDone = true
        open(options)
      }
      guard let context = container?.mainContext else { return nil }
      if options.isUndoEnabled { context.undoManager = undoManager ?? ownUndoManager }
      return context
    }

    private func open(_ options: ContainerOptions) {
      let made = Result {
        try ModelContainer(
          for: Schema(options.modelTypes),
          configurations: ModelConfiguration(isStoredInMemoryOnly: options.inMemory))
      }
      switch made {
      case .success(let container):
        container.mainContext.autosaveEnabled = options.isAutosaveEnabled
        self.container = container
      case .failure(let error):
        // Most programs give no `onSetup`.
        Logger(label: "roost").error("A view's container cannot be opened", metadata: ["error": "\(error)"])
      }
      options.onSetup(made)
    }
  }
#endif
