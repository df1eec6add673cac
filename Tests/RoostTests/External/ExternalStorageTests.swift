import Foundation
import Roost
import RoostCore
import RoostMigration
import RoostQuery
import RoostTesting
import Testing

@Suite struct ExternalStorageTests {
  private let gallery: Gallery

  init() throws { gallery = try Gallery() }

  @Test func `large values of every kind come back, and only they have files`() throws {
    let text = String(repeating: "Ärger ", count: 400)
    let words = (0..<500).map { "word \($0)" }
    do {
      let context = ModelContext(try gallery.open())
      let photo = try context.savePhoto("large", bytes(1_001))
      (photo.original, photo.notes, photo.words, photo.rating) = (bytes(90_000), text, words, 3)
      try context.save()
      #expect(try gallery.files().count == 4 && gallery.files() == gallery.named())
      let small = try context.savePhoto("small", bytes(1_000))
      (small.original, small.notes, small.words) = (bytes(1), "123", ["é"])
      try context.savePhoto("none", nil)
      #expect(gallery.files().count == 4)
    }
    let photos = try ModelContext(try gallery.open()).fetch(
      FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)]))
    #expect(photos.map(\.image) == [bytes(1_001), nil, bytes(1_000)])
    #expect(photos.map(\.original) == [bytes(90_000), Data(), bytes(1)])
    #expect(photos.map(\.notes) == [text, "", "123"])
    #expect(photos.map(\.words) == [words, [], ["é"]])
    #expect(photos.map(\.rating) == [3, 0, 0])
  }

  @Test func `the limit is 100 KiB unless set`() throws {
    let container = try ModelContainer(
      for: Album.self, Cover.self, configurations: ModelConfiguration(url: gallery.url))
    let context = ModelContext(container)
    try context.savePhoto("a", bytes(102_400))
    #expect(gallery.files().isEmpty)
    try context.savePhoto("b", bytes(102_401))
    #expect(gallery.files().count == 1)
  }

  @Test func `a value stays where it is when the limit changes, until it is set`() throws {
    try ModelContext(try gallery.open()).savePhoto()
    let context = ModelContext(try gallery.open(threshold: 10_000))
    let photo = try #require(try context.photo())
    photo.title = "b"
    try context.save()
    #expect(gallery.files().count == 1 && photo.image == bytes(5_000))
    photo.image = bytes(6_000)
    try context.save()
    #expect(gallery.files().isEmpty)
    #expect(try ModelContext(try gallery.open()).photo()?.image == bytes(6_000))
  }

  @Test func `a fetch reads no file, the first access one`() throws {
    do {
      let context = ModelContext(try gallery.open())
      for number in 0..<20 { context.insert(Photo(title: "\(number)", image: bytes(2_000), original: bytes(3_000))) }
      try context.save()
    }
    let container = try gallery.open()
    let context = ModelContext(container)
    let photos = try context.fetch(FetchDescriptor<Photo>())
    #expect(photos.count == 20 && photos.allSatisfy { $0.title != "" && $0.notes == "" })
    #expect(container.externalFilesRead == 0)
    #expect(photos[3].image == bytes(2_000) && photos[3].image?.count == 2_000)
    #expect(container.externalFilesRead == 1)
    // The file is still the row's.
    _ = try context.fetch(FetchDescriptor<Photo>())
    #expect(photos[3].image != nil && container.externalFilesRead == 1)
    // A new value needs no look at the old one, nor do a deletion and what else a save does.
    photos[4].image = bytes(4_000)
    photos[5].title = "other"
    context.delete(photos[6])
    try context.save()
    #expect(photos[4].image == bytes(4_000) && container.externalFilesRead == 1)
  }

  @Test func `a value just saved is not read again`() throws {
    let container = try gallery.open()
    let context = ModelContext(container)
    let photo = try context.savePhoto()
    _ = try context.fetch(FetchDescriptor<Photo>())
    #expect(photo.image == bytes(5_000) && container.externalFilesRead == 0)
  }

  @Test func `where the own object wins, a value that was read stays in a file`() throws {
    let context = ModelContext(try gallery.open())
    context.mergePolicy = .ownObjectWins
    let photo = try context.savePhoto()
    photo.title = "b"
    try context.save()
    #expect(gallery.files().count == 1)
    #expect(try gallery.files() == gallery.named())
    let stored = try #require(try ModelContext(try gallery.open()).photo())
    #expect(stored.title == "b" && stored.image == bytes(5_000))
  }

  @Test func `a property that was not fetched is read late`() throws {
    try ModelContext(try gallery.open()).savePhoto()
    let container = try gallery.open()
    let context = ModelContext(container)
    var few = FetchDescriptor<Photo>()
    few.propertiesToFetch = [\.title]
    let photo = try #require(try context.fetch(few).first)
    photo.title = "edited"
    #expect(photo.image == bytes(5_000) && photo.title == "edited" && container.externalFilesRead == 1)
    let shell = try #require(
      ModelContext(container).model(for: photo.persistentModelID) as? Photo)
    #expect(shell.image == bytes(5_000) && shell.title == "a")
  }

  @Test func `a query knows whether there is a value`() throws {
    let container = try gallery.open()
    let context = ModelContext(container)
    try context.savePhoto("file")
    try context.savePhoto("row", bytes(1))
    try context.savePhoto("nothing", nil)
    let missing = #Predicate<Photo> { $0.image == nil }
    let present = #Predicate<Photo> { $0.image != nil }
    for _ in 0..<2 {
      #expect(try context.fetch(FetchDescriptor(predicate: missing)).map(\.title) == ["nothing"])
      #expect(try context.fetchCount(FetchDescriptor(predicate: present)) == 2)
      // Once more with changes that the store does not have.
      context.insert(Photo(title: "pending", image: bytes(3_000)))
      let photo = try #require(try context.fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)])).first)
      photo.image = nil
      #expect(Set(try context.fetch(FetchDescriptor(predicate: missing)).map(\.title)) == ["file", "nothing"])
      #expect(Set(try context.fetch(FetchDescriptor(predicate: present)).map(\.title)) == ["pending", "row"])
      context.rollback()
    }
    #expect(container.externalFilesRead == 0)
  }

  @Test func `edits beside text that looks like a number leave it alone`() throws {
    let context = ModelContext(try gallery.open())
    let photo = try context.savePhoto()
    photo.notes = "123"
    try context.save()
    let other = ModelContext(context.container)
    let same = try #require(try other.photo())
    same.title = "edited"
    #expect(try other.fetch(FetchDescriptor<Photo>(predicate: #Predicate { $0.title == "edited" })) == [same])
    #expect(same.notes == "123" && same.image == bytes(5_000))
  }

  @Test func `a query for more than that throws before any SQL`() throws {
    let context = ModelContext(try gallery.open())
    let value = bytes(3)
    let predicates: [Predicate<Photo>] = [
      #Predicate { $0.image == value }, #Predicate { $0.original == value }, #Predicate { $0.notes == "" },
      #Predicate { $0.notes.contains("a") }, #Predicate { $0.image == $0.original },
      #Predicate { $0.words.contains("a") }, #Predicate { $0.image! == value },
      #Predicate { ($0.image ?? value) == value }, #Predicate { $0.image?.count ?? 0 > 3 },
    ]
    for predicate in predicates {
      #expect(throws: SwiftDataError.unsupportedPredicate) { try context.fetch(FetchDescriptor(predicate: predicate)) }
    }
    let error = #expect(throws: SwiftDataError.self) {
      try context.fetch(FetchDescriptor(predicate: predicates[0]))
    }
    #expect(error?.model == "Photo" && error?.property == "image")
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.notes)]))
    }
    // Small values are where they always are.
    #expect(try context.fetchCount(FetchDescriptor<Photo>(predicate: #Predicate { $0.rating == 0 })) == 0)
  }

  @Test func `in memory values are in their rows`() throws {
    var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    configuration.storeOptions.externalStorageThreshold = 1
    let container = try ModelContainer(for: Album.self, configurations: configuration)
    try ModelContext(container).savePhoto()
    #expect(try ModelContext(container).photo()?.image == bytes(5_000))
    #expect(container.externalFilesRead == 0)
  }

  @Test func `a store for reading only shows the values and touches no file`() throws {
    try ModelContext(try gallery.open()).savePhoto()
    let stray = gallery.filesFolder.appending(path: UUID().uuidString)
    try Data().write(to: stray)
    let context = ModelContext(try gallery.open(allowsSave: false))
    #expect(try context.photo()?.image == bytes(5_000))
    #expect(gallery.files().count == 2)
  }

  @Test func `the store reached by a link has the same files`() throws {
    try ModelContext(try gallery.open()).savePhoto()
    let link = gallery.folder.url.appending(path: "link.store")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: gallery.url)
    let context = ModelContext(try Gallery(gallery.folder, at: link).open())
    #expect(try context.photo()?.image == bytes(5_000))
  }

  @Test func `only those who may read the store may read the files`() throws {
    let container = try gallery.open()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: gallery.url.path)
    try ModelContext(container).savePhoto()
    func permissions(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
    #expect(try permissions(gallery.filesFolder) == 0o700)
    let file = try #require(gallery.files().first)
    #expect(try permissions(gallery.filesFolder.appending(path: file)) == 0o600)
  }
}
