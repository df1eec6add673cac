#if !canImport(CoreData)
  import Foundation
  import SwiftData
  import Testing

  // The same store as that of the program `notes`.
  @Model final class Note {
    var text: String

    init(text: String) { self.text = text }
  }

  @Suite struct CoreDataNotificationTests {
    @Test func `The names are Core Data's`() {
      #expect(Notification.Name.NSManagedObjectContextDidSave.rawValue == "NSManagingContextDidSaveChangesNotification")
      #expect(Notification.Name.NSPersistentStoreRemoteChange.rawValue == "NSPersistentStoreRemoteChangeNotification")
      #expect([NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] == ["inserted", "updated", "deleted"])
    }

    @Test func `A save posts what was inserted, edited and deleted, with the context`() throws {
      let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      let context = ModelContext(container)
      let (kept, deleted, edited) = (Note(text: "kept"), Note(text: "deleted"), Note(text: "edited"))
      for note in [kept, deleted, edited] { context.insert(note) }
      try context.save()

      let posts = Posts(.NSManagedObjectContextDidSave, of: context)
      let new = Note(text: "new")
      let deletedID = deleted.persistentModelID
      context.insert(new)
      context.delete(deleted)
      edited.text = "changed"
      try context.save()
      try context.save()

      #expect(
        posts.all == [
          [
            "inserted": [new.persistentModelID], "updated": [edited.persistentModelID],
            "deleted": [deletedID],
          ]
        ])
    }

    @Test func `A save posts that the store has changed, without anything observing it`() async throws {
      let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      let changes = changes(of: container)
      let context = ModelContext(container)
      context.insert(Note(text: "new"))
      try context.save()
      await changes.next()
      try context.delete(model: Note.self)
      try context.save()
      await changes.next()
    }

    @Test(arguments: [true, false])
    func `Another program's save is posted, whichever came first, the name or the store`(isNameFirst: Bool) async throws
    {
      let home = FileManager.default.temporaryDirectory.appending(path: "CoreDataNotificationTests-\(UUID())")
      defer { try? FileManager.default.removeItem(at: home) }
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      let first = try Program("notes", [], ["HOME": home.path])
      let file = URL(filePath: try #require(first.lines.first))

      if isNameFirst { _ = Notification.Name.NSPersistentStoreRemoteChange }
      let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(url: file))
      let changes = changes(of: container)
      #expect(try Program("notes", [], ["HOME": home.path]).lines.last == "2")
      await changes.next()
      #expect(try ModelContext(container).fetchCount(FetchDescriptor<Note>()) == 2)
    }

    private func changes(of container: ModelContainer) -> Changes {
      Changes(container.configurations.first?.url)
    }
  }

  /// The `userInfo`s of the notifications that are posted about an object.
  private final class Posts: @unchecked Sendable {
    // SAFETY: what is observed is posted by the test itself, on its own thread.
    private(set) var all: [[String: Set<PersistentIdentifier>]] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of object: AnyObject) {
      token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] note in
        self?.all.append(note.userInfo as? [String: Set<PersistentIdentifier>] ?? [:])
      }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
  }

  /// The notifications that a store was written.
  private final class Changes {
    private let stream: AsyncStream<Void>
    private let token: any NSObjectProtocol

    init(_ url: URL?) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      self.stream = stream
      token = NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil
      ) { note in
        if note.userInfo?["storeURL"] as? URL == url { continuation.yield() }
      }
    }

    deinit { NotificationCenter.default.removeObserver(token) }

    func next() async { for await _ in stream { return } }
  }
#endif
