import Foundation
import Overlay
import SwiftData
import SwiftUI
import Testing

private struct Titles: View {
  @Query(sort: \Note.title) private var notes: [Note]

  var body: some View {
    Text(notes.map(\.title).joined(separator: ", "))
    Text(_notes.fetchError.map { "\($0)" } ?? "no error")
  }
}

/// A view that is made anew with another query, as its surroundings say.
private struct Best: View {
  @Query private var notes: [Note]

  init(minimum: Int) {
    _notes = Query(filter: #Predicate { $0.stars >= minimum }, sort: \.title, animation: .linear)
  }

  var body: some View { Text(notes.map(\.title).joined(separator: ", ")) }
}

private struct Topics: View {
  @Query(filter: #Predicate<Note> { $0.stars > 0 }, sort: \Note.stars, sectionBy: \Note.topic)
  private var notes: SectionedResults<Note, String>

  var body: some View {
    Text(notes.map { "\($0.title): \($0.map(\.title).joined())" }.joined(separator: ", "))
    Text("\(_notes.sections == notes)")
  }
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct QueryTests {
  private let notes: Notes
  private var container: ModelContainer { notes.container }

  init() throws { notes = try Notes() }

  @Test func `a view shows what is in the environment's context, and nothing is wrong`() {
    let screen = Screen { Titles().modelContainer(self.container) }
    #expect(screen.texts == ["Ants, Swifts", "no error"])
  }

  @Test func `inserts, edits and deletions in the context are shown before they are saved`() async throws {
    let context = container.mainContext
    context.autosaveEnabled = false
    let screen = Screen { Titles().modelContext(context) }
    let note = Note("Bees")
    try await screen.change { context.insert(note) }
    #expect(screen.texts[0] == "Ants, Bees, Swifts")
    try await screen.change { note.title = "Zebras" }
    #expect(screen.texts[0] == "Ants, Swifts, Zebras")
    try await screen.change { context.delete(note) }
    #expect(screen.texts[0] == "Ants, Swifts")
  }

  @Test func `saves of other contexts of the container are shown`() async throws {
    let screen = Screen { Titles().modelContainer(self.container) }
    try await screen.change {
      notes.writer.insert(Note("Bees"))
      try notes.writer.save()
    }
    #expect(screen.texts == ["Ants, Bees, Swifts", "no error"])
  }

  @Test func `a fetch that fails leaves the last results, and says why`() async throws {
    let context = container.mainContext
    context.autosaveEnabled = false
    let screen = Screen { Titles().modelContext(context) }
    try await screen.change {
      try container.close()
      context.insert(Note("Bees"))
    }
    #expect(screen.texts[0] == "Ants, Swifts")
    #expect(screen.texts[1].contains("closed"))
  }

  @Test func `a query for what the store cannot tell shows the last results, until it asks for something else`() {
    var order = SortDescriptor(\Note.title)
    let screen = Screen { Ordered(order: order).modelContainer(self.container) }
    order = SortDescriptor(\Note.hashValue)
    screen.draw()
    #expect(screen.texts == ["Ants, Swifts", "failed"])
    order = SortDescriptor(\Note.stars, order: .reverse)
    screen.draw()
    #expect(screen.texts == ["Swifts, Ants", "no error"])
  }

  @Test func `without a context around it a view shows nothing, and says why`() {
    let screen = Screen { Titles() }
    #expect(screen.texts[0].isEmpty)
    #expect(screen.texts[1].contains("Note"))
  }

  @Test func `a view that is made anew asks for what it is given then`() {
    var minimum = 2
    let screen = Screen { Best(minimum: minimum).modelContainer(self.container) }
    #expect(screen.texts == ["Swifts"])
    minimum = 1
    screen.draw()
    #expect(screen.texts == ["Ants, Swifts"])
  }

  @Test func `a view in another context shows that one's models`() throws {
    let other = try Notes()
    other.writer.insert(Note("Bees"))
    var context = notes.writer
    let screen = Screen { Titles().modelContext(context) }
    context = other.writer
    screen.draw()
    #expect(screen.texts[0] == "Ants, Bees, Swifts")
  }

  @Test func `results change with the query's animation`() async throws {
    let animated = Screen { Best(minimum: 0).modelContainer(self.container) }
    let plain = Screen { Titles().modelContainer(self.container) }
    try await plain.change {
      notes.writer.insert(Note("Bees"))
      try notes.writer.save()
    }
    #expect(plain.animation == nil)
    try await animated.change {
      notes.writer.insert(Note("Cats"))
      try notes.writer.save()
    }
    #expect(animated.animation == .linear)
  }

  @Test func `sections are shown, and follow the models`() async throws {
    let screen = Screen { Topics().modelContainer(self.container) }
    #expect(screen.texts == ["birds: Swifts, insects: Ants", "true"])
    try await screen.change {
      notes.writer.insert(Note("Fish", stars: 3, topic: "fish"))
      try notes.writer.save()
    }
    #expect(screen.texts == ["birds: Swifts, fish: Fish, insects: Ants", "true"])
  }
}

private struct Ordered: View {
  @Query private var notes: [Note]

  init(order: SortDescriptor<Note>) { _notes = Query(sort: [order]) }

  var body: some View {
    Text(notes.map(\.title).joined(separator: ", "))
    Text(_notes.fetchError == nil ? "no error" : "failed")
  }
}
