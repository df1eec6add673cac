import Foundation
import Roost
import Testing

/// What observers of saves hear, and what they may do.
@Suite struct NotificationTests {
  private let context: ModelContext

  init() throws { context = try makeLibrary() }

  /// Calls `body` on each notification until the end of `during`.
  private func observing(
    _ name: Notification.Name, _ body: @escaping (Notification) throws -> Void, during: () throws -> Void
  ) throws {
    let observer = Observer(body: body)
    let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
      do { try observer.body(notification) } catch { Issue.record(error) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try during()
  }

  private struct Observer: @unchecked Sendable {
    // SAFETY: called where the save is: on the test's own thread.
    let body: (Notification) throws -> Void
  }

  private func titles() throws -> [String] {
    let sorted = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    return try ModelContext(context.container).fetch(sorted).map(\.title)
  }

  @Test func `a save tells before and after, and then which models it inserted, updated and deleted`() throws {
    let (edited, doomed) = (Book(title: "edited"), Book(title: "doomed"))
    context.insert(edited)
    context.insert(doomed)
    try context.save()
    let new = Book(title: "new")
    context.insert(new)
    edited.pages = 3
    context.delete(doomed)
    let gone = doomed.persistentModelID
    var heard: [String] = []
    try observing(ModelContext.willSave) { notification in
      heard.append("will")
      #expect(notification.object as? ModelContext === context && notification.userInfo == nil)
      #expect(context.hasChanges && new.persistentModelID.isTemporary)
    } during: {
      try observing(ModelContext.didSave) { notification in
        heard.append("did")
        func identifiers(_ key: ModelContext.NotificationKey) -> [PersistentIdentifier]? {
          notification.userInfo?[key.rawValue] as? [PersistentIdentifier]
        }
        #expect(notification.object as? ModelContext === context && !context.hasChanges)
        #expect(identifiers(.insertedIdentifiers) == [new.persistentModelID])
        #expect(notification.userInfo?["inserted"] as? [PersistentIdentifier] == [new.persistentModelID])
        #expect(identifiers(.updatedIdentifiers) == [edited.persistentModelID])
        #expect(identifiers(.deletedIdentifiers) == [gone])
      } during: {
        try context.save()
        // Nothing to save, nothing to tell.
        try context.save()
      }
    }
    #expect(heard == ["will", "did"])
  }

  @Test func `a save that fails tells nobody that it succeeded`() throws {
    context.insert(Tag(name: "a"))
    let twin = Tag(name: "b")
    context.insert(twin)
    try context.save()
    twin.name = "a"
    try observing(ModelContext.didSave) { _ in
      Issue.record("nothing was saved")
    } during: {
      #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    }
  }

  @Test func `what an observer of willSave changes is saved, and its own save waits for the one under way`() throws {
    let (author, doomed) = (Author(name: "Lack"), Book(title: "doomed"))
    context.insert(author)
    context.insert(doomed)
    var count = 0
    try observing(ModelContext.willSave) { _ in
      count += 1
      author.books.append(Book(title: "A"))
      _ = Book(title: "B", author: author)
      context.delete(doomed)
      try context.save()
      #expect(try titles() == [])
    } during: {
      try context.save()
    }
    #expect(count == 1 && !context.hasChanges)
    #expect(try titles() == ["A", "B"])
  }

  @Test func `an observer of didSave may change and save again`() throws {
    context.insert(Book(title: "0"))
    var count = 0
    try observing(ModelContext.didSave) { _ in
      count += 1
      if count < 4 { context.insert(Book(title: "\(count)")) }
      try context.save()
    } during: {
      try context.save()
    }
    #expect(try titles() == ["0", "1", "2", "3"])
  }

  @Test func `saves are awaited as a sequence, from when it is iterated over`() async throws {
    context.insert(Book(title: "before"))
    try context.save()
    var saves = NotificationCenter.default.notifications(named: ModelContext.didSave, object: context)
      .makeAsyncIterator()
    let books = ["one", "two"].map { Book(title: $0) }
    for book in books {
      context.insert(book)
      try context.save()
    }
    for book in books {
      let heard = await saves.next()
      let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
      #expect(heard?.userInfo?[key] as? [PersistentIdentifier] == [book.persistentModelID])
    }
  }
}
