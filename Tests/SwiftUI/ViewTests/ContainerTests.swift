import Foundation
import RoostViews
import SwiftData
import SwiftUI
import Testing

/// Tells what the environment's context is.
private struct Surroundings: View {
  @Environment(\.modelContext) private var modelContext
  let look: (ModelContext) -> Void

  var body: some View {
    let _ = look(modelContext)
    Text("\(modelContext.container.schema.entities.map(\.name))")
  }
}

private struct Windows<Content: View>: Scene {
  @ViewBuilder let content: () -> Content

  var body: some Scene { WindowGroup { content() } }
}

@Suite @MainActor final class ContainerTests {
  private var contexts: [ModelContext] = []
  private var containers: [ModelContainer] = []
  private var failures: [any Error] = []

  private var surroundings: some View { Surroundings { self.contexts.append($0) } }

  private func opened(_ result: Result<ModelContainer, any Error>) {
    switch result {
    case .success(let container): containers.append(container)
    case .failure(let error): failures.append(error)
    }
  }

  @Test func `a container's main context is that of the views inside`() throws {
    let container = try Notes().container
    let screens = [
      Screen { self.surroundings.modelContainer(container) },
      Screen(scene: { Windows { self.surroundings }.modelContainer(container) }),
    ]
    #expect(contexts == [container.mainContext, container.mainContext])
    #expect(screens.map(\.texts) == [["[\"Note\"]"], ["[\"Note\"]"]])
  }

  @Test func `a context is that of the views inside`() throws {
    let context = try Notes().writer
    _ = Screen { self.surroundings.modelContext(context) }
    _ = Screen(scene: { Windows { self.surroundings }.modelContext(context) })
    #expect(contexts == [context, context])
  }

  @Test func `the innermost context counts`() throws {
    let notes = try Notes()
    _ = Screen { self.surroundings.modelContext(notes.writer).modelContainer(notes.container) }
    #expect(contexts == [notes.writer])
  }

  @Test func `without any the context has no models, and is always the same`() {
    let screen = Screen { self.surroundings }
    screen.draw()
    #expect(screen.texts == ["[]"])
    #expect(contexts.count == 2 && contexts[0] == contexts[1])
  }

  @Test func `a view's container is made once, and its main context used`() {
    let screen = Screen {
      self.surroundings.modelContainer(for: Note.self, inMemory: true, onSetup: self.opened)
    }
    screen.draw()
    #expect(containers.count == 1 && failures.isEmpty)
    #expect(contexts == containers.flatMap { [$0.mainContext, $0.mainContext] })
    #expect(containers.first?.configurations.first?.isStoredInMemoryOnly == true)
    #expect(contexts.first?.autosaveEnabled == true && contexts.first?.undoManager == nil)
  }

  @Test func `a scene's container is made once, and its main context used`() {
    let screen = Screen(scene: {
      Windows { self.surroundings }.modelContainer(for: Note.self, inMemory: true, onSetup: self.opened)
    })
    screen.draw()
    #expect(containers.count == 1 && failures.isEmpty)
    #expect(contexts == containers.flatMap { [$0.mainContext, $0.mainContext] })
    #expect(contexts.first?.autosaveEnabled == true && contexts.first?.undoManager == nil)
  }

  @Test func `a container can have several models, and its context save only when it is told to`() {
    _ = Screen {
      self.surroundings.modelContainer(
        for: [Note.self, Tag.self], inMemory: true, isAutosaveEnabled: false, onSetup: self.opened)
    }
    _ = Screen(scene: {
      Windows { self.surroundings }.modelContainer(
        for: [Note.self, Tag.self], inMemory: true, isAutosaveEnabled: false, onSetup: self.opened)
    })
    #expect(containers.map { Set($0.schema.entities.map(\.name)) } == [["Note", "Tag"], ["Note", "Tag"]])
    #expect(contexts.map(\.autosaveEnabled) == [false, false])
  }

  @Test func `changes are recorded by the window's undo manager`() {
    let undoManager = UndoManager()
    _ = Screen(undoManager: undoManager) {
      self.surroundings.modelContainer(for: Note.self, inMemory: true, isUndoEnabled: true, onSetup: self.opened)
    }
    #expect(contexts.count == 1 && contexts.first?.undoManager === undoManager)
  }

  @Test func `changes are recorded by the same undo manager of the context's own where a scene has none`() {
    let screen = Screen(scene: {
      Windows { self.surroundings }.modelContainer(
        for: Note.self, inMemory: true, isUndoEnabled: true, onSetup: self.opened)
    })
    let undoManager = contexts.first?.undoManager
    screen.draw()
    #expect(undoManager != nil && contexts.last?.undoManager === undoManager)
  }

  @Test func `a container that cannot be opened is reported once, and the surrounding context stays`() throws {
    let outer = try Notes().writer
    let screens = [
      Screen {
        self.surroundings.modelContainer(for: Left.self, inMemory: true, onSetup: self.opened).modelContext(outer)
      },
      Screen(scene: {
        Windows { self.surroundings }.modelContainer(for: Left.self, inMemory: true, onSetup: self.opened)
          .modelContext(outer)
      }),
    ]
    for screen in screens { screen.draw() }
    #expect(failures.count == 2 && containers.isEmpty)
    #expect(contexts == [outer, outer, outer, outer])
  }
}
