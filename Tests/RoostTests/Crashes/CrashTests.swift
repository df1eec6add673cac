import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Synchronization
import Testing

/// What changes a store in one transaction leaves it as it was or as it is to be, whatever cuts it off.
@Suite struct CrashTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Something that changes a store of 10 notes and 4 pictures.
  enum Change: String, CaseIterable, Sendable, Codable {
    case save, erase, reindex

    func run(_ configuration: ModelConfiguration) throws {
      let container =
        self == .reindex
        ? try ModelContainer(for: Indexed.Note.self, Picture.self, configurations: configuration)
        : try ModelContainer(for: Plain.Note.self, Picture.self, configurations: configuration)
      defer { try? container.close() }
      switch self {
      case .reindex: break
      case .erase: try container.erase()
      case .save:
        let context = ModelContext(container)
        for note in try context.fetch(FetchDescriptor<Plain.Note>()) { note.text += " edited" }
        for picture in try context.fetch(FetchDescriptor<Picture>()) { picture.image = bytes(300, 9) }
        try context.save()
      }
    }
  }

  private func image() throws -> StoreImage {
    do {
      let container = try ModelContainer(
        for: Plain.Note.self, Picture.self, configurations: configuration(folder.store))
      let context = ModelContext(container)
      for number in 0..<10 { context.insert(Plain.Note("note \(number)")) }
      for number in 0..<4 { context.insert(Picture("picture \(number)", bytes(200))) }
      try context.save()
      try container.close()
    }
    return try StoreImage(of: folder.store)
  }

  /// How a store is made and looked at, on a disk that is as quick as possible.
  private func configuration(_ store: URL) -> ModelConfiguration {
    var configuration = small(ModelConfiguration(url: store))
    configuration.storeOptions.durability = .none
    return configuration
  }

  /// Opens a store as the next process does, and sees that it is as before the change or as after it.
  ///
  /// - Returns: whether the change is there.
  private func check(_ change: Change, _ store: URL) throws -> Bool {
    let container: ModelContainer
    let isIndexed = try strings(store, "SELECT 1 FROM sqlite_schema WHERE name GLOB 'Note_*'") != []
    if isIndexed {
      container = try ModelContainer(for: Indexed.Note.self, Picture.self, configurations: configuration(store))
    } else {
      container = try ModelContainer(for: Plain.Note.self, Picture.self, configurations: configuration(store))
    }
    defer { try? container.close() }
    #expect(try strings(store, "PRAGMA integrity_check") == ["ok"])
    let files = (try? FileManager.default.contentsOfDirectory(atPath: store.path + "-files")) ?? []
    let named = try strings(store, "SELECT image FROM Picture WHERE typeof(image) = 'text'")
    #expect(Set(files) == Set(named))
    if isIndexed {
      let context = ModelContext(container)
      let found = FetchDescriptor<Indexed.Note>(predicate: #Predicate { $0.text.matches("note") })
      #expect(try context.fetchCount(found) == 10)
      return true
    }
    let context = ModelContext(container)
    let notes = try context.fetch(FetchDescriptor<Plain.Note>())
    let pictures = try context.fetch(FetchDescriptor<Picture>())
    if change == .erase, notes.isEmpty {
      #expect(pictures.isEmpty)
      return true
    }
    let isChanged = notes.first?.text.hasSuffix("edited") ?? false
    #expect(notes.count == 10 && notes.allSatisfy { $0.text.hasSuffix("edited") == isChanged })
    #expect(pictures.count == 4 && pictures.allSatisfy { $0.image == (isChanged ? bytes(300, 9) : bytes(200)) })
    return isChanged
  }

  @Test(arguments: Change.allCases) func `a process that ends at any moment leaves a whole store`(
    _ change: Change
  ) throws {
    _ = try image()
    let images = try everyMoment(of: folder.store) { try change.run(small($0)) }
    #expect(images.count > 5)
    var isThere = false
    for (number, image) in images.enumerated() {
      let changed = try image.unpacked { try check(change, $0) }
      #expect(changed || !isThere, "gone again at \(number)")
      isThere = changed
    }
    #expect(isThere)
  }

  @Test(arguments: Change.allCases, [(FaultyDisk.Fault.full, true), (.broken, false), (.broken, true)])
  func `a disk that fails at any moment leaves a whole store`(
    _ change: Change, _ fault: (kind: FaultyDisk.Fault, isLasting: Bool)
  ) throws {
    let count = try everyFault(fault.kind, isLasting: fault.isLasting, of: image()) { configuration in
      try change.run(small(configuration))
    } check: { store, succeeded in
      let isThere = try check(change, store)
      #expect(isThere || !succeeded)
    }
    #expect(count > 5)
  }

  #if os(Linux) || os(macOS)
    @Test(arguments: Change.allCases, [1, 2, 3, 5, 8, 9])
    func `a process that is killed leaves a whole store`(_ change: Change, _ statement: Int) async throws {
      _ = try image()
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [change = change as Change, path = folder.store.path as String, statement = statement as Int] in
        let count = Mutex(0)
        var configuration = small(ModelConfiguration(url: URL(filePath: path)))
        configuration.storeOptions.recorder = StatementRecorder { sql in
          // The statements of opening the store are the same for all.
          let number = count.withLock { count in
            if count > 0 || sql.hasPrefix("BEGIN IMMEDIATE") { count += 1 }
            return count
          }
          if number == statement { kill(getpid(), SIGKILL) }
        }
        try change.run(configuration)
      }
      _ = try check(change, folder.store)
    }
  #endif
}

/// The same with a threshold that has pictures in files.
private func small(_ configuration: ModelConfiguration) -> ModelConfiguration {
  var configuration = configuration
  configuration.storeOptions.externalStorageThreshold = 100
  return configuration
}

private func strings(_ store: URL, _ sql: String) throws -> [String] {
  let connection = try Connection(ConnectionOptions(location: .file(path: store.path)))
  defer { connection.close() }
  let statement = try connection.statement(sql)
  defer { statement.reset() }
  var strings: [String] = []
  while try statement.step() { strings.append(statement.string(0)) }
  return strings
}

private enum Plain {
  @Model final class Note {
    var text: String
    init(_ text: String) { self.text = text }
  }
}

private enum Indexed {
  @Model final class Note {
    @Attribute(.fullText) var text: String
    init(_ text: String) { self.text = text }
  }
}

@Model final class Picture {
  var title: String
  @Attribute(.externalStorage) var image: Data?
  init(_ title: String, _ image: Data?) { (self.title, self.image) = (title, image) }
}
