import EncryptionSupport
import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// A store whose file is not where it was any more: nothing is acknowledged that nobody would find.
@Suite struct MovedStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var place: URL { folder.url.appending(path: "place", directoryHint: .isDirectory) }
  private var store: URL { place.appending(path: "test.store") }

  private func open(_ url: URL? = nil, _ change: (inout ModelConfiguration) -> Void = { _ in }) throws -> ModelContext {
    var configuration = ModelConfiguration(url: url ?? store)
    change(&configuration)
    return ModelContext(try ModelContainer(for: Tag.self, configurations: configuration))
  }

  private func makeStore(_ url: URL? = nil, tags: [String] = ["a"]) throws -> ModelContext {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let context = try open(url)
    for tag in tags { context.insert(Tag(name: tag)) }
    try context.save()
    return context
  }

  private func names(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  private func path(_ suffix: String) -> String { store.path + suffix }

  enum Removal: CaseIterable {
    case deleted, deletedWithLog, deletedAndMadeAnew, renamed, replaced, folderMoved, logDeleted, logReplaced
  }

  private func remove(_ removal: Removal) throws {
    let manager = FileManager.default
    switch removal {
    case .deleted: try manager.removeItem(atPath: path(""))
    case .deletedWithLog: for suffix in ["", "-wal", "-shm"] { try manager.removeItem(atPath: path(suffix)) }
    case .deletedAndMadeAnew:
      for suffix in ["", "-wal", "-shm"] { try manager.removeItem(atPath: path(suffix)) }
      try makeStore(tags: ["new"]).container.close()
    case .renamed: try manager.moveItem(atPath: path(""), toPath: path(".old"))
    case .replaced:
      let other = folder.url.appending(path: "other.store")
      try makeStore(other, tags: ["other"]).container.close()
      #expect(rename(other.path, path("")) == 0)
    case .folderMoved: try manager.moveItem(at: place, to: folder.url.appending(path: "elsewhere"))
    case .logDeleted: try manager.removeItem(atPath: path("-wal"))
    case .logReplaced:
      try manager.copyItem(atPath: path("-wal"), toPath: path("-new"))
      #expect(rename(path("-new"), path("-wal")) == 0)
    }
  }

  @Test(arguments: Removal.allCases)
  func `a save into a file that is not there any more throws, and its changes stay`(_ removal: Removal) throws {
    let context = try makeStore()
    try remove(removal)
    let tag = Tag(name: "b")
    context.insert(tag)
    let error = #expect(throws: SwiftDataError.storeMoved) { try context.save() }
    #expect(error?.message.contains(store.path) ?? false)
    #expect(error?.remedy?.contains("new one") ?? false)
    #expect(context.hasChanges && context.insertedModelsArray.count == 1 && tag.persistentModelID.isTemporary)
    // Reading goes on in what was opened.
    #expect(try names(context) == ["a", "b"])

    #expect(throws: SwiftDataError.storeMoved) { try context.container.erase() }
    #expect(throws: SwiftDataError.storeMoved) { try context.update(model: Tag.self, set: .set(\.name, to: "c")) }
    #expect(throws: SwiftDataError.storeMoved) { try context.execute(sql: "DELETE FROM \(Tag.self)") }
    #expect(throws: SwiftDataError.storeMoved) {
      try context.container.withDatabase(.readWrite) { try $0.execute(sql: "DELETE FROM \(Tag.self)") }
    }
    #expect(throws: SwiftDataError.storeMoved) {
      try context.transaction { context.insert(Tag(name: "d")) }
    }
    try context.container.close()
  }

  @Test func `what was saved before is in the file, wherever that is by now`() throws {
    let context = try makeStore(tags: (0..<50).map { "\($0)" })
    try remove(.logDeleted)
    try context.container.close()
    #expect(try names(open()).count == 50)

    let renamed = try open()
    renamed.insert(Tag(name: "last"))
    try renamed.save()
    try remove(.renamed)
    try renamed.container.close()
    #expect(try names(open(URL(filePath: path(".old")))).count == 51)
  }

  @Test func `whoever closes a store that was replaced leaves the new one as it is`() throws {
    let context = try makeStore()
    try remove(.deletedAndMadeAnew)
    let other = try open()
    other.insert(Tag(name: "open"))
    try other.save()
    try context.container.close()
    other.insert(Tag(name: "still"))
    try other.save()
    try other.container.close()
    #expect(try names(open()) == ["new", "open", "still"])
  }

  @Test(.plainFiles) func `no new connection reads another file than the others do`() throws {
    let context = try makeStore()
    try remove(.replaced)
    // The first one is taken, so that this read needs another.
    try context.container.withDatabase(.readOnly) { _ in
      let result = Result { try names(ModelContext(context.container)) }
      switch result {
      case .success(let names): #expect(names == ["a"])
      case .failure(let error): #expect(error as? SwiftDataError == .storeMoved)
      }
    }
    let pool = try Pool(ConnectionOptions(location: .file(path: store.path)))
    try remove(.renamed)
    let error = #expect(throws: DatabaseError.self) { try pool.read { _ in } }
    #expect(error?.code == DatabaseError.readOnlyMoved)
    try makeStore(tags: []).container.close()
    #expect(throws: DatabaseError.self) { try pool.read { _ in } }
    try pool.close()
  }

  @Test func `what stays in its place is written as ever`() throws {
    // A link, also one that leads elsewhere later.
    let link = folder.url.appending(path: "link.store")
    let context = try makeStore()
    try context.container.close()
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store)
    let linked = try open(link)
    linked.insert(Tag(name: "b"))
    try linked.save()
    let other = folder.url.appending(path: "other.store")
    try makeStore(other, tags: []).container.close()
    try FileManager.default.removeItem(at: link)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: other)
    linked.insert(Tag(name: "c"))
    try linked.save()
    #expect(try names(ModelContext(linked.container)) == ["a", "b", "c"])
    try linked.container.close()
    #expect(try names(open()) == ["a", "b", "c"])

    // A name that the file has beside its own, a backup that is copied over it, and another file system.
    try FileManager.default.linkItem(at: store, to: folder.url.appending(path: "second.store"))
    let disk = FaultyDisk()
    let again = try open { $0.storeOptions.fileSystem = disk.name }
    again.insert(Tag(name: "d"))
    try again.save()
    let copy = folder.url.appending(path: "copy.store")
    try again.container.backup(to: copy)
    again.insert(Tag(name: "e"))
    try again.save()
    try ModelContainer.restore(again.container.configurations.first ?? ModelConfiguration(url: store), from: copy)
    again.insert(Tag(name: "f"))
    try again.save()
    #expect(try names(ModelContext(again.container)) == ["a", "b", "c", "d", "f"])

    let memory = ModelContext(
      try ModelContainer(for: Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    memory.insert(Tag(name: "a"))
    try memory.save()
    #expect(try names(memory) == ["a"])
  }

  @Test func `a file that is moved while a transaction runs is noticed before the commit`() throws {
    let context = try makeStore()
    #expect(throws: SwiftDataError.storeMoved) {
      try context.container.withDatabase(.readWrite) { database in
        try database.execute(sql: "DELETE FROM \(Tag.self)")
        try remove(.renamed)
      }
    }
    try context.container.close()
    #expect(try names(open(URL(filePath: path(".old")))) == ["a"])
  }
}
