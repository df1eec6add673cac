import Foundation
import Roost
import Testing

@ModelActor actor Librarian {
  func add(_ titles: [String]) throws -> [PersistentIdentifier] {
    let books = titles.map { Book(title: $0) }
    books.forEach { modelContext.insert($0) }
    try modelContext.save()
    return books.map(\.persistentModelID)
  }

  func title(of identifier: PersistentIdentifier) -> String? { self[identifier, as: Book.self]?.title }
  func asAuthor(_ identifier: PersistentIdentifier) -> Bool { self[identifier, as: Author.self] != nil }
  func isOnMainThread() -> Bool { Thread.isMainThread }
}

@Suite struct ModelActorTests {
  @Test @MainActor func `an actor works off the main thread on its own context`() async throws {
    let container = try makeLibrary().container
    let librarian = Librarian(modelContainer: container)
    #expect(await librarian.isOnMainThread() == false)
    let identifiers = try await librarian.add(["A", "B"])
    #expect(await librarian.title(of: identifiers[1]) == "B")
    #expect(await librarian.asAuthor(identifiers[1]) == false)
    #expect(try container.mainContext.fetchCount(FetchDescriptor<Book>()) == 2)
    #expect(container.mainContext.autosaveEnabled)
  }
}
