import Foundation
import RoostViews
import SwiftData
import SwiftUI
import Testing

@Suite(.timeLimit(.minutes(20))) @MainActor struct QueryTests {
  private let notes: Notes
  private var container: ModelContainer { notes.container }
  private var context: ModelContext { container.mainContext }

  init() throws {
    notes = try Notes()
    context.autosaveEnabled = false
  }

  private func saveElsewhere(_ note: Note) throws {
    notes.writer.insert(note)
    try notes.writer.save()
  }

  // MARK: - What is shown

  @Test func `a view shows what is in the environment's context`() {
    let screen = Screen { Named(name: "All").modelContext(context) }
    #expect(screen.texts == ["All: 2", "the same context"])
  }

  @Test func `without a context around it a view shows nothing, and says why`() {
    let screen = Screen { Titles() }
    #expect(screen.texts[0].isEmpty)
    #expect(screen.texts[1].contains("Note"))
  }

  @Test func `sections are shown, and follow the models`() async throws {
    let screen = Screen { Topics().modelContext(context) }
    #expect(screen.texts == ["birds: Swifts, insects: Ants", "the same"])
    try await screen.show(["birds: Swifts, insects: Ants, zoo fish: Eels", "the same"]) {
      try saveElsewhere(Note("Eels", stars: 3, topic: "zoo fish"))
    }
  }

  // MARK: - Changes

  @Test func `inserts, edits and deletions in the context are shown before they are saved`() async throws {
    let screen = Screen { Titles().modelContext(context) }
    let note = Note("Bees")
    try await screen.show(["Ants, Bees, Swifts", "no error"]) { context.insert(note) }
    try await screen.show(["Ants, Swifts, Zebras", "no error"]) { note.title = "Zebras" }
    try await screen.show(["Ants, Swifts", "no error"]) { context.delete(note) }
  }

  @Test func `saves of other contexts of the container are shown`() async throws {
    let screen = Screen { Titles().modelContext(context) }
    try await screen.show(["Ants, Bees, Swifts", "no error"]) { try saveElsewhere(Note("Bees")) }
  }

  @Test func `results change with the query's animation, or in its transaction`() async throws {
    let queries: [(Query<Note, [Note]>, Animation?)] = [
      (Query(), nil), (Query(animation: .linear), .linear),
      (Query(transaction: Transaction(animation: .default)), .default),
    ]
    for (count, (query, animation)) in queries.enumerated() {
      let screen = Screen { Counted(query).modelContext(context) }
      try await screen.show(["\(count + 3)"]) { try saveElsewhere(Note("Bees")) }
      #expect(screen.animations == [animation])
    }
  }

  // MARK: - Failures

  @Test func `a fetch that fails leaves the last results, and says why`() async throws {
    let screen = Screen { Ordered().modelContext(context) }
    try await screen.show(["Ants, Swifts", "failed"]) {
      try container.close()
      context.insert(Note("Bees"))
    }
  }

  @Test func `a query that cannot be asked shows the last results, until the view asks another`() {
    var order = SortDescriptor(\Note.title)
    let screen = Screen { Ordered(by: order).modelContext(context) }
    order = SortDescriptor(\Note.hashValue)
    screen.draw()
    #expect(screen.texts == ["Ants, Swifts", "failed"])
    order = SortDescriptor(\Note.stars, order: .reverse)
    screen.draw()
    #expect(screen.texts == ["Swifts, Ants", "no error"])
  }

  // MARK: - Views made anew

  @Test func `a view that is made anew asks for what it is given then, and follows that alone`() async throws {
    var minimum = 2
    let screen = Screen { Ordered(minimum: minimum).modelContext(context) }
    #expect(screen.texts[0] == "Swifts")
    minimum = 1
    screen.draw()
    #expect(screen.texts[0] == "Ants, Swifts")
    try await screen.show(["Ants, Bees, Swifts", "no error"]) { try saveElsewhere(Note("Bees", stars: 1)) }
  }

  @Test func `a view that is made anew with the same query does not fetch`() throws {
    let screen = Screen { Ordered(minimum: 1).modelContext(context) }
    // A fetch would fail now.
    try container.close()
    screen.draw()
    #expect(screen.texts == ["Ants, Swifts", "no error"])
  }

  @Test func `a view in another context shows that one's models`() throws {
    let other = try Notes()
    other.writer.insert(Note("Bees"))
    var shown = context
    let screen = Screen { Titles().modelContext(shown) }
    shown = other.writer
    screen.draw()
    #expect(screen.texts[0] == "Ants, Bees, Swifts")
  }

  @Test func `a view that is gone has nothing observed any more`() {
    // An observer would keep its context.
    weak var former: ModelContext?
    do {
      let context = ModelContext(container)
      former = context
      let screen = Screen { Titles().modelContext(context) }
      #expect(screen.texts[0] == "Ants, Swifts")
    }
    #expect(former == nil)
  }
}
