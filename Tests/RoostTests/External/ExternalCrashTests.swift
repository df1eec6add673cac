import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostQuery
import RoostTesting
import Testing

/// What crashes, other programs and other processes leave behind.
@Suite struct ExternalCrashTests {
  private let gallery: Gallery

  init() throws { gallery = try Gallery() }

  /// Saves while the store is copied at a step, file by file, as a crash at that moment would leave it.
  private func crash(at crash: ExternalFiles.Step, _ edit: (ModelContext) throws -> Void) throws -> Gallery {
    let copy = Gallery(gallery.folder, at: gallery.folder.url.appending(path: "crashed/test.store"))
    let (source, target) = (gallery.url, copy.url)
    let folder = gallery.filesFolder
    let container = try gallery.open()
    container._externalFiles?.onStep { step in
      guard step == crash else { return }
      let parent = target.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
      }
      try FileManager.default.copyItem(at: folder, to: URL(filePath: target.path + "-files"))
    }
    let context = ModelContext(container)
    try edit(context)
    try context.save()
    return copy
  }

  @Test func `a crash before the commit leaves files without rows, which the next opening removes`() throws {
    try ModelContext(try gallery.open()).savePhoto()
    let crashed = try crash(at: .written) { context in
      try context.photo()?.image = bytes(6_000)
      context.insert(Photo(title: "b", image: bytes(7_000)))
    }
    #expect(crashed.files().count == 3)
    let context = ModelContext(try crashed.open())
    #expect(try crashed.files().count == 1 && crashed.files() == crashed.named())
    #expect(try context.fetch(FetchDescriptor<Photo>()).map(\.image) == [bytes(5_000)])
  }

  @Test func `a crash after the commit leaves old files, which the next opening removes`() throws {
    try ModelContext(try gallery.open()).savePhoto()
    let crashed = try crash(at: .committed) { context in
      try context.photo()?.image = bytes(6_000)
      context.insert(Photo(title: "b", image: bytes(7_000)))
    }
    #expect(crashed.files().count == 3)
    let context = ModelContext(try crashed.open())
    #expect(try crashed.files().count == 2 && crashed.files() == crashed.named())
    let photos = try context.fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)]))
    #expect(photos.map(\.image) == [bytes(6_000), bytes(7_000)])
  }

  @Test func `opening the store does not touch the files of a save under way elsewhere`() throws {
    let container = try gallery.open()
    try ModelContext(container).savePhoto()
    let gallery = gallery
    container._externalFiles?.onStep { step in
      guard step == .written else { return }
      // The lock is held, so that this gives up after its busy timeout.
      _ = try gallery.open()
      #expect(gallery.files().count == 2)
    }
    try ModelContext(container).savePhoto("b", bytes(6_000))
    #expect(try gallery.files().count == 2 && gallery.files() == gallery.named())
    _ = try gallery.open()
    #expect(gallery.files().count == 2)
  }

  @Test func `openings and saves at once lose no file and leave none behind`() async throws {
    _ = try gallery.open()
    let gallery = gallery
    try await withThrowingTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          for round in 0..<8 {
            let context = ModelContext(try gallery.open(busyTimeout: .seconds(60)))
            let photo = try context.savePhoto("\(worker) \(round)", bytes(2_000, UInt8(round)))
            photo.image = bytes(3_000, UInt8(round))
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try gallery.files().count == 32 && gallery.files() == gallery.named())
    let photos = try ModelContext(try gallery.open()).fetch(FetchDescriptor<Photo>())
    #expect(photos.allSatisfy { $0.image == bytes(3_000, UInt8($0.title.suffix(1)) ?? 0) })
  }

  @Test func `opening removes the files of rows that another program deleted, and nobody else's`() throws {
    for title in ["a", "b"] { try ModelContext(try gallery.open()).savePhoto(title) }
    try Data().write(to: gallery.filesFolder.appending(path: "README"))
    try Data().write(to: gallery.filesFolder.appending(path: UUID().uuidString.lowercased()))
    try gallery.execute("DELETE FROM Photo WHERE title = 'a'")
    #expect(gallery.files().count == 4)
    let context = ModelContext(try gallery.open())
    #expect(gallery.files().count == 3)
    #expect(try context.photo()?.image == bytes(5_000))
  }

  @Test func `what another program writes into the column is the value`() throws {
    let context = ModelContext(try gallery.open())
    try context.savePhoto()
    let photo = try #require(try context.photo())
    try gallery.execute("UPDATE Photo SET image = x'0102'")
    _ = try context.photo()
    #expect(photo.image == Data([1, 2]))
    try gallery.execute("UPDATE Photo SET image = NULL, notes = 'by hand'")
    _ = try context.photo()
    #expect(photo.image == nil && photo.notes == "by hand")
    #expect(throws: DatabaseError.self) { try gallery.execute("UPDATE Photo SET image = 'text'") }
    #expect(throws: DatabaseError.self) { try gallery.execute("UPDATE Photo SET notes = 3") }
    #expect(throws: DatabaseError.self) { try gallery.execute("UPDATE Photo SET original = NULL") }
    _ = try gallery.open()
    #expect(gallery.files().isEmpty)
  }

  @Test func `rows that another program copied share a file until the last is gone`() throws {
    let context = ModelContext(try gallery.open())
    let photo = try context.savePhoto()
    try gallery.execute(
      """
      INSERT INTO Photo (title, image, original, notes, words, rating)
      SELECT 'b', image, original, notes, words, rating FROM Photo
      """)
    photo.image = bytes(1)
    try context.save()
    #expect(gallery.files().count == 1)
    _ = try gallery.open()
    let photos = try context.fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)]))
    #expect(photos.map(\.image) == [bytes(1), bytes(5_000)])
    context.delete(photos[1])
    try context.save()
    #expect(gallery.files().isEmpty)
  }

  @Test func `a name that leads out of the folder is no file's`() throws {
    let context = ModelContext(try gallery.open())
    try context.savePhoto("a", nil)
    let secret = "../" + String(repeating: "x", count: 33)
    try Data([1]).write(to: gallery.folder.url.appending(path: String(secret.dropFirst(3))))
    try gallery.execute("UPDATE Photo SET image = '\(secret)'")
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(FetchDescriptor<Photo>()) }
    #expect(error == .corruptValue && error?.property == "image")
  }

  @Test func `a file that is gone reads as nil or empty, and is not written over`() throws {
    do {
      let context = ModelContext(try gallery.open())
      try context.savePhoto().original = bytes(3_000)
      try context.save()
    }
    let names = gallery.files()
    for name in names {
      let file = gallery.filesFolder.appending(path: name)
      try FileManager.default.moveItem(at: file, to: gallery.folder.url.appending(path: name))
    }
    let context = ModelContext(try gallery.open())
    let photo = try #require(try context.photo())
    #expect(photo.image == nil && photo.original == Data())
    let error = #expect(throws: SwiftDataError.storeInputOutput) { try photo.readValue(forKey: \.image) }
    #expect(error?.property == "image" && error?.row == photo.persistentModelID && error?.url != nil)
    photo.title = "edited"
    try context.save()
    // As from a backup.
    for name in names {
      let file = gallery.filesFolder.appending(path: name)
      try FileManager.default.moveItem(at: gallery.folder.url.appending(path: name), to: file)
    }
    #expect(photo.image == bytes(5_000) && photo.original == bytes(3_000) && photo.title == "edited")
  }

  @Test func `a file that cannot be written fails the save and says which`() throws {
    let container = try gallery.open()
    try Data().write(to: gallery.filesFolder)
    let context = ModelContext(container)
    context.insert(Photo(title: "a", image: bytes(2_000)))
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .storeInputOutput && error?.model == "Photo" && error?.property == "image")
    #expect(error?.url?.path.hasPrefix(gallery.filesFolder.path) ?? false && error?.underlying != nil)
    #expect(context.hasChanges)
    try FileManager.default.removeItem(at: gallery.filesFolder)
    try context.save()
    #expect(try ModelContext(container).photo()?.image == bytes(2_000))
  }

  @Test func `text in a file that is no text reads as empty`() throws {
    do {
      let context = ModelContext(try gallery.open())
      try context.savePhoto("a", nil).notes = String(repeating: "x", count: 2_000)
      try context.save()
    }
    let file = gallery.filesFolder.appending(path: try #require(gallery.files().first))
    try Data(repeating: 0xFF, count: 2_000).write(to: file)
    #expect(try ModelContext(try gallery.open()).photo()?.notes == "")
  }
}
