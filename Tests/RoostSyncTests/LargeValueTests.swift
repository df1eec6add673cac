import Foundation
import Roost
import RoostCore
import RoostSync
import SyncMerge
import SyncSimulation
import TestSupport
import Testing

/// Values in files that are larger than anything that is sent, and many that are large.
@Suite struct LargeValueTests {
  private let folder: Folder
  private let first: Machine
  private let second: Machine
  private var zone = SyncZone(MemoryZone(SyncRegistry()))

  init() throws { (folder, first, second) = try Machine.two() }

  private func books(_ machine: Machine) throws -> [Book] { try machine.all(Book.self, by: SortDescriptor(\.code)) }

  /// Has the file of the only value that is in one be larger than SQLite takes a value. It has no content.
  private func enlargeFile(_ machine: Machine) throws {
    let files = try #require(machine.container.store.files)
    let handle = try FileHandle(forUpdating: files.url(of: #require(files.names().first)))
    defer { try? handle.close() }
    try handle.truncate(atOffset: 1_000_000_001)
  }

  @Test(arguments: [false, true])
  mutating func `a value that is larger than any server takes waits, and all else is synced`(isNew: Bool) throws {
    let (large, small) = (Book("Large"), Book("Small"))
    for book in [large, small] { first.context.insert(book) }
    if !isNew {
      try first.context.save()
      for machine in [first, second] { try machine.sync(&zone) }
    }
    large.scan = Data(count: 200)
    try first.context.save()
    try enlargeFile(first)
    small.title = "Tiny"
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try first.synced.counts().tooLarge == 1 && first.synced.counts().tooLargeModels == ["Book"])
    #expect(try books(second).map(\.title) == (isNew ? ["Tiny"] : ["Large", "Tiny"]))
    if !isNew {
      // The row comes, and what it has here stays.
      try #require(try books(second).first).price = 2
      try second.context.save()
      for machine in [second, first] { try machine.sync(&zone) }
      #expect(try books(first).map(\.price) == [2, nil])
      let files = try #require(first.container.store.files)
      #expect(try files.names().map { Disk.size(of: files.url(of: $0)) } == [1_000_000_001])
    }
    large.scan = Data(repeating: 1, count: 200)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try first.isDone(zone) && books(second).map(\.scan) == [large.scan, nil])
  }

  @Test mutating func `a value that is larger than any server takes goes with its row, and does not come back`() throws
  {
    let large = Book("Large")
    first.context.insert(large)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    large.scan = Data(count: 200)
    try first.context.save()
    try enlargeFile(first)
    try first.synced.noteChanges(now: first.now)
    first.context.delete(large)
    try first.context.save()
    // It keeps the row.
    second.context.insert(Copy("S1", of: try #require(try books(second).first)))
    try second.context.save()
    for machine in [second, first, second, first] { try machine.sync(&zone) }
    for machine in [first, second] {
      #expect(try books(machine).map(\.scan) == [nil] && machine.isDone(zone))
    }
  }

  @Test mutating func `a value is synced again that was larger than any server takes when all was sent anew`() throws {
    let large = Book("Large")
    first.context.insert(large)
    try first.context.save()
    try first.sync(&zone)
    large.scan = Data(count: 200)
    try first.context.save()
    try enlargeFile(first)
    try first.sync(&zone)
    zone = SyncZone(MemoryZone(SyncRegistry()))
    try first.synced.leaveAccount()
    try first.sync(&zone)
    #expect(try first.synced.counts().tooLarge == 1 && zone.storage.rows.isEmpty)
    large.scan = Data(repeating: 1, count: 200)
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try first.isDone(zone) && books(second).map(\.scan) == [large.scan])
  }

  @Test mutating func `rows from before sync with large values are noted a few at a time`() throws {
    let (url, schema) = (folder.store("third"), Schema(versionedSchema: LibraryV1.self))
    let container = try ModelContainer(for: schema, configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    for code in ["A", "B", "C", "D"] {
      let book = Book(code)
      book.scan = Data(count: 2_000)
      context.insert(book)
    }
    try context.save()
    try container.close()
    let machine = try Machine(3, at: url, pushSize: SyncPushSize(sweepBytes: 3_000))
    var noted: [Int64] = []
    try machine.begin(&zone)
    while try machine.synced.counts().unseen > 0 {
      noted.append(try machine.synced.counts().pending)
      try machine.synced.noteChanges(now: machine.now)
    }
    #expect(noted == [2])
    for machine in [machine, second] { try machine.sync(&zone) }
    #expect(try machine.isDone(zone) && books(second).map(\.scan?.count) == [2_000, 2_000, 2_000, 2_000])
  }

  @Test mutating func `a value that is larger than any server takes is that of the row which its own one becomes`()
    throws
  {
    let size = SyncPushSize(valueBytes: 1_000)
    let first = try Machine(1, Faces.self, at: folder.store("faces"), pushSize: size)
    let second = try Machine(2, Faces.self, at: folder.store("others"), pushSize: size)
    func faces(_ machine: Machine) throws -> [Faces.Face] {
      try ModelContext(machine.container).fetch(FetchDescriptor<Faces.Face>())
    }
    first.context.insert(Faces.Face("Bea", Data(count: 200)))
    try first.context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    let ann = Faces.Face("Ann", Data(count: 2_000))
    first.context.insert(ann)
    try first.context.save()
    try first.sync(&zone)
    let bea = try #require(second.context.fetch(FetchDescriptor<Faces.Face>()).first)
    bea.name = "Ann"
    try second.context.save()
    for machine in [second, first] { try machine.sync(&zone) }
    #expect(try faces(first).map(\.name) == ["Ann"] && faces(first).map(\.photo?.count) == [2_000])
    let context = ModelContext(first.container)
    try #require(context.fetch(FetchDescriptor<Faces.Face>()).first).photo = Data(count: 300)
    try context.save()
    for machine in [first, second] { try machine.sync(&zone) }
    #expect(try faces(second).map(\.photo?.count) == [300] && first.isDone(zone))
  }
}

private enum Faces: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Face.self] }

  @Model final class Face {
    @Attribute(.unique) var name: String
    @Attribute(.externalStorage) var photo: Data?
    init(_ name: String, _ photo: Data?) { (self.name, self.photo) = (name, photo) }
  }
}
