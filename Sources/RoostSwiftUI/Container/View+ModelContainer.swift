#if canImport(SwiftUI)
  public import RoostCore
  public import SwiftUI

  extension View {
    /// Has the view's queries and views work in a container's main context.
    ///
    /// Source: SwiftData's `modelContainer(_:)`.
    @MainActor @preconcurrency public func modelContainer(_ container: ModelContainer) -> some View {
      environment(\.modelContext, container.mainContext)
    }

    /// Has the view work in the main context of a container of one model, which is made when the view is first shown.
    ///
    /// ```swift
    /// ContentView().modelContainer(for: Note.self)
    /// ```
    /// The container is made once, whatever is given later. When it cannot be opened, the surrounding context stays.
    /// - Parameters:
    ///   - modelType: the model; those that its relationships refer to come along.
    ///   - inMemory: whether nothing is kept in a file.
    ///   - isAutosaveEnabled: whether the context saves by itself.
    ///   - isUndoEnabled: whether changes are recorded: by the environment's undo manager or, where there is none, by
    ///     one of the context's own.
    ///   - onSetup: is given the container, or why it could not be opened, once.
    /// - Returns: the view, with that context in its environment.
    @MainActor @preconcurrency public func modelContainer(
      for modelType: any PersistentModel.Type, inMemory: Bool = false, isAutosaveEnabled: Bool = true,
      isUndoEnabled: Bool = false, onSetup: @escaping (Swift.Result<ModelContainer, any Error>) -> Void = { _ in }
    ) -> some View {
      modelContainer(
        for: [modelType], inMemory: inMemory, isAutosaveEnabled: isAutosaveEnabled, isUndoEnabled: isUndoEnabled,
        onSetup: onSetup)
    }

    /// Has the view work in the main context of a container of some models; see the modifier that takes one.
    @MainActor @preconcurrency public func modelContainer(
      for modelTypes: [any PersistentModel.Type], inMemory: Bool = false, isAutosaveEnabled: Bool = true,
      isUndoEnabled: Bool = false, onSetup: @escaping (Swift.Result<ModelContainer, any Error>) -> Void = { _ in }
    ) -> some View {
      ContainedView(
        content: self,
        options: ContainerOptions(
          modelTypes: modelTypes, inMemory: inMemory, isAutosaveEnabled: isAutosaveEnabled,
          isUndoEnabled: isUndoEnabled, onSetup: onSetup))
    }

    /// Has the view's queries and views work in a context, which must be the main actor's.
    ///
    /// Source: SwiftData's `modelContext(_:)`.
    @MainActor @preconcurrency public func modelContext(_ modelContext: ModelContext) -> some View {
      environment(\.modelContext, modelContext)
    }
  }

  /// A view in the context of a container that it makes.
  private struct ContainedView<Content: View>: View {
    let content: Content
    let options: ContainerOptions
    @State private var setup = ContainerSetup()
    @Environment(\.undoManager) private var undoManager
    /// What stays when the container cannot be opened.
    @Environment(\.modelContext) private var outerContext

    var body: some View {
      content.environment(\.modelContext, setup.context(options, undoManager: undoManager) ?? outerContext)
    }
  }
#endif
