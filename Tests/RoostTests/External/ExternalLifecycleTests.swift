import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import RoostTesting
import Testing

/// Files come and go with the values that are in them.
@Suite struct ExternalLifecycleTests {
  private let gallery: Gallery
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    gallery = try Gallery()
    container = try gallery.open()
    context = ModelContext(container)
  }

  private struct Refusal: Error {}

  @Test func `a new value takes the old one's file away`() throws {
    let photo = try context.savePhoto()
    let first = gallery.files()
    photo.image = bytes(5_000, 8)
    #expect(gallery.files() == first)
    try context.save()
    #expect(try gallery.files().count == 1 && gallery.files() == gallery.named() && gallery.files() != first)
    #expect(try ModelContext(container).photo()?.image == bytes(5_000, 8))
  }

  @Test(arguments: [bytes(10), nil]) func `a value that shrinks leaves its file, and gets one again`(
    small: Data?
  ) throws {
    let photo = try context.savePhoto()
    photo.image = small
    try context.save()
    #expect(gallery.files().isEmpty)
    #expect(try ModelContext(container).photo()?.image == small)
    photo.image = bytes(2_000)
    try context.save()
    #expect(gallery.files().count == 1)
    #expect(try ModelContext(container).photo()?.image == bytes(2_000))
  }

  @Test func `a deleted row takes its files along`() throws {
    let photo = try context.savePhoto()
    photo.notes = String(repeating: "x", count: 2_000)
    try context.savePhoto("b")
    try context.save()
    #expect(gallery.files().count == 3)
    context.delete(photo)
    #expect(gallery.files().count == 3)
    try context.save()
    #expect(try gallery.files().count == 1 && gallery.files() == gallery.named())
    // Read before, so still known.
    #expect(photo.image == bytes(5_000))
  }

  @Test func `cascades and deletions by predicate take files along`() throws {
    let album = Album(name: "A")
    context.insert(album)
    for number in 0..<5 {
      let photo = Photo(title: "\(number)", image: bytes(2_000))
      photo.album = number < 2 ? album : nil
      context.insert(photo)
    }
    try context.save()
    let other = ModelContext(container)
    try other.delete(model: Album.self)
    try other.save()
    #expect(try gallery.files().count == 3 && gallery.files() == gallery.named())
    try other.delete(model: Photo.self, where: #Predicate { $0.title > "3" })
    try other.save()
    #expect(try gallery.files().count == 2 && gallery.files() == gallery.named())
  }

  @Test func `an upsert replaces the file of the row that was there`() throws {
    context.insert(Cover(code: 1, image: bytes(2_000)))
    try context.save()
    let other = ModelContext(container)
    other.insert(Cover(code: 1, title: "new", image: bytes(3_000)))
    try other.save()
    #expect(try gallery.files().count == 1 && gallery.files() == gallery.named())
    #expect(try ModelContext(container).fetch(FetchDescriptor<Cover>()).map(\.image) == [bytes(3_000)])
    other.insert(Cover(code: 1, title: "none", image: nil))
    try other.save()
    #expect(gallery.files().isEmpty)
  }

  @Test func `values that change places keep one file each`() throws {
    let covers = (1...2).map { Cover(code: $0, image: bytes(2_000, UInt8($0))) }
    covers.forEach(context.insert)
    try context.save()
    // The first cannot be written before the second has given its code up.
    covers[0].code = 2
    covers[0].image = bytes(3_000)
    covers[1].code = 3
    try context.save()
    #expect(try gallery.files().count == 2 && gallery.files() == gallery.named())
    let stored = try ModelContext(container).fetch(FetchDescriptor<Cover>(sortBy: [SortDescriptor(\.code)]))
    #expect(stored.map(\.image) == [bytes(3_000), bytes(2_000, 2)])
  }

  @Test func `rollback writes nothing and brings the stored value back`() throws {
    let photo = try context.savePhoto()
    let files = gallery.files()
    photo.image = bytes(9_000)
    context.insert(Photo(title: "b", image: bytes(9_000)))
    context.rollback()
    #expect(photo.image == bytes(5_000) && gallery.files() == files)
    context.delete(photo)
    context.rollback()
    try context.save()
    #expect(photo.image == bytes(5_000) && gallery.files() == files)
  }

  @Test func `a save that fails leaves the files as they were, and can be tried again`() throws {
    let photo = try context.savePhoto()
    let files = gallery.files()
    container._externalFiles?.onStep { if $0 == .written { throw Refusal() } }
    photo.image = bytes(9_000)
    context.insert(Photo(title: "b", image: bytes(8_000)))
    #expect(throws: Refusal.self) { try context.save() }
    #expect(gallery.files() == files)
    #expect(try ModelContext(container).photo()?.image == bytes(5_000))
    container._externalFiles?.onStep(nil)
    try context.save()
    #expect(try gallery.files().count == 2 && gallery.files() == gallery.named())
    #expect(try ModelContext(container).photo()?.image == bytes(9_000))
  }

  @Test func `a constraint that fails leaves the files as they were`() throws {
    let first = Cover(code: 1, image: bytes(2_000))
    let second = Cover(code: 2, image: bytes(3_000))
    [first, second].forEach(context.insert)
    try context.save()
    let files = gallery.files()
    (second.code, second.image) = (1, bytes(4_000))
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(try gallery.files() == files && gallery.named() == files)
  }

  @Test func `a transaction writes and removes files once`() throws {
    let photo = try context.savePhoto()
    try context.transaction {
      photo.image = bytes(6_000)
      photo.image = bytes(7_000)
      context.insert(Photo(title: "b", image: bytes(8_000)))
    }
    #expect(try gallery.files().count == 2 && gallery.files() == gallery.named())
    #expect(throws: Refusal.self) {
      try context.transaction {
        photo.image = nil
        throw Refusal()
      }
    }
    #expect(gallery.files().count == 2)
  }

  @Test func `another context sees the new value, also if it had not read the old one yet`() throws {
    try context.savePhoto()
    let other = ModelContext(try gallery.open())
    let unread = try #require(try other.photo())
    let photo = try #require(try context.photo())
    photo.image = bytes(6_000)
    try context.save()
    #expect(unread.image == bytes(6_000))
    photo.image = bytes(7_000)
    try context.save()
    // Read, and so known until the next fetch.
    #expect(unread.image == bytes(6_000))
    _ = try other.photo()
    #expect(unread.image == bytes(7_000))
    photo.image = bytes(1)
    try context.save()
    _ = try other.photo()
    #expect(unread.image == bytes(1))
  }

  @Test func `a value that another deletes before it is read is nil or empty`() throws {
    try context.savePhoto("a", bytes(2_000)).original = bytes(3_000)
    try context.save()
    let unread = try #require(try ModelContext(container).photo())
    try context.delete(model: Photo.self)
    try context.save()
    #expect(unread.image == nil && unread.original.isEmpty && unread.isDeleted)
  }

  @Test func `a model comes back with what was read before its deletion, or not at all`() throws {
    try context.savePhoto()
    let other = ModelContext(container)
    let photo = try #require(try other.photo())
    other.delete(photo)
    try other.save()
    other.insert(photo)
    let error = #expect(throws: SwiftDataError.self) { try other.save() }
    #expect(error == .modelValidationFailure && error?.property == "image")
    photo.image = bytes(2_000)
    try other.save()
    #expect(try ModelContext(container).photo()?.image == bytes(2_000))
  }

  @Test func `erasing removes all files`() throws {
    for title in ["a", "b"] { try context.savePhoto(title) }
    try container.erase()
    #expect(gallery.files().isEmpty)
    try ModelContext(container).savePhoto()
    container.deleteAllData()
    #expect(gallery.files().isEmpty)
  }

  @Test func `a copy has the files that its rows name`() throws {
    try context.savePhoto()
    let copy = Gallery(gallery.folder, at: gallery.folder.url.appending(path: "copy/copy.store"))
    try FileManager.default.createDirectory(
      at: copy.url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: gallery.filesFolder.appending(path: UUID().uuidString))
    try container.backup(to: copy.url)
    #expect(try copy.files().count == 1 && copy.files() == copy.named())
    try context.delete(model: Photo.self)
    try context.save()
    #expect(try ModelContext(try copy.open()).photo()?.image == bytes(5_000))
    // Onto itself once more, without the photo: what is useless by then goes when it is opened.
    try container.backup(to: copy.url)
    let reopened = ModelContext(try copy.open())
    #expect(try reopened.photo() == nil && copy.files().isEmpty)
  }

  #if !os(Windows)
    @Test func `a new copy may be read by nobody who may not read the store`() throws {
      try context.savePhoto()
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: gallery.url.path)
      let copy = gallery.folder.url.appending(path: "copy.store")
      try container.backup(to: copy)
      let attributes = try FileManager.default.attributesOfItem(atPath: copy.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      #expect(!FileManager.default.fileExists(atPath: copy.path + ".partial"))
    }
  #endif

  @Test func `another program's database is not replaced by a copy`() throws {
    try context.savePhoto()
    let file = gallery.folder.url.appending(path: "theirs.db")
    func theirs() throws -> Connection { try Connection(ConnectionOptions(location: .file(path: file.path))) }
    try theirs().execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (7)")
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try container.backup(to: file) }
    #expect(error?.url?.lastPathComponent == "theirs.db")
    #expect(try theirs().strings("SELECT a FROM theirs") == ["7"])
  }

  @Test func `a file that is no store is not replaced by a copy`() throws {
    try context.savePhoto()
    let file = gallery.folder.url.appending(path: "letter.txt")
    try Data("Dear reader, this is no store at all.".utf8).write(to: file)
    #expect(throws: SwiftDataError.storeDamaged) { try container.backup(to: file) }
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("Dear reader"))
  }
}
