import FaultyDisk
import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import Testing

#if Encryption
  @Suite struct ChangeEncryptionTests {
    private let store: DiaryStore

    init() throws { store = try DiaryStore() }

    @Test("A plain store is encrypted, gets other keys, and is plain again, with all that is in it")
    func round() throws {
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        try store.fill(store.open(nil))
        var former: ModelConfiguration.Encryption?
        for next in [ModelConfiguration.Encryption.first, .second, .passphrase("sesame"), .passphrase("open"), nil] {
          let number = try numberOfFiles()
          let token = try token(former)
          try ModelContainer.changeEncryption(of: store.configuration(former), to: next)
          let container = try store.open(next)
          try store.check(container)
          // A consumer of history goes on where it was.
          #expect(try ModelContext(container).fetchHistory(Self.history(after: token)).isEmpty)
          try container.close()
          #expect(try store.plainFiles().isEmpty == (next != nil))
          // The former files of values went as the store was opened.
          #expect(try numberOfFiles() == number)
          if former != nil { #expect(throws: (any Error).self) { try store.open(former) } }
          former = next
        }
      }
    }

    @Test("The backups of migrations are encrypted with the store")
    func backups() throws {
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        let container = try store.open(nil)
        try store.fill(container)
        let name = store.folder.store.lastPathComponent + ".backup-2026-11-22T141500Z"
        try container.backup(to: store.folder.url.appending(path: name))
        try container.close()
        #expect(try ModelContainer.backups(of: store.configuration(nil)).count == 1)
        try ModelContainer.changeEncryption(of: store.configuration(nil), to: .first)
        let backup = try #require(try ModelContainer.backups(of: store.configuration(.first)).first)
        try ModelContainer.restore(store.configuration(.first), from: backup.url)
        try store.check(store.open(.first))
        #expect(try store.plainFiles() == [])
      }
    }

    @Test("While somebody has the store open it is not changed")
    func busy() throws {
      let container = try store.open(.first)
      try store.fill(container)
      #expect(throws: SwiftDataError.storeBusy) {
        try ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)
      }
      try store.check(container)
      try container.close()
      try store.check(store.open(.first))
    }

    @Test func `while somebody has the store open its backups keep their key, too`() throws {
      let container = try store.open(.first)
      try store.fill(container)
      let backup = backupFile(1)
      try container.backup(to: backup)
      let before = try Data(contentsOf: backup)
      #expect(throws: SwiftDataError.storeBusy) {
        try ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)
      }
      #expect(try Data(contentsOf: backup) == before)
      try container.close()
      try ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)
      try ModelContainer.restore(store.configuration(.second), from: backup)
      try store.check(store.open(.second))
    }

    @Test func `a backup that cannot be copied leaves the others as they were`() throws {
      let container = try store.open(.first)
      try store.fill(container)
      let backups = [backupFile(1), backupFile(2)]
      for backup in backups { try container.backup(to: backup) }
      try container.close()
      let before = try backups.map { try Data(contentsOf: $0) }
      let files = try numberOfFiles()
      for (busy, other) in [(backups[0], backups[1]), (backups[1], backups[0])] {
        let connection = try Connection(store.configuration(.first).options(forCopy: busy))
        try connection.transaction(.deferred) {
          try connection.statement("SELECT name FROM sqlite_schema").run()
          #expect(throws: SwiftDataError.storeBusy, "\(other)") {
            try ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)
          }
        }
        connection.close()
        #expect(try backups.map { try Data(contentsOf: $0) } == before)
        #expect(try numberOfFiles() == files)
      }
      try store.check(store.open(.first))
    }

    @Test func `a backup that no key opens stays as it is, and the store is changed`() throws {
      let (container, other) = (try store.open(.first), try DiaryStore())
      try store.fill(container)
      try container.close()
      let foreign = ModelConfiguration.Encryption.key([UInt8](repeating: 3, count: 32))
      let another = try other.open(foreign)
      try other.fill(another)
      try another.backup(to: backupFile(1))
      try another.close()
      try Data("no database".utf8).write(to: backupFile(2))
      let before = try [1, 2].map { try Data(contentsOf: backupFile($0)) }
      try ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)
      try store.check(store.open(.second))
      #expect(try [1, 2].map { try Data(contentsOf: backupFile($0)) } == before)
    }

    @Test func `nothing in the folder is plain once a store with a kept backup is encrypted`() throws {
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        let container = try store.open(nil)
        try store.fill(container)
        try container.backup(to: backupFile(1))
        try container.close()
        let number = try numberOfFiles(of: backupFile(1))
        try ModelContainer.changeEncryption(of: store.configuration(nil), to: .first)
        // Before anybody opens the store.
        #expect(try store.plainFiles() == [])
        #expect(try numberOfFiles(of: backupFile(1)) == number)
        try ModelContainer.restore(store.configuration(.first), from: backupFile(1))
        try store.check(store.open(.first))
      }
    }

    @Test func `what a call that was cut off has left beside a backup goes with the next one, or the next opening`()
      throws
    {
      let container = try store.open(.first)
      try store.fill(container)
      try container.backup(to: backupFile(1))
      try container.close()
      let number = try numberOfFiles(of: backupFile(1))
      func leave() throws {
        for suffix in ["", "-journal"] {
          try Data("x".utf8).write(to: URL(fileURLWithPath: backupFile(1).path + ".encrypting" + suffix))
        }
        let useless = backupFile(1).path + "-files/" + UUID().uuidString
        try Data("x".utf8).write(to: URL(fileURLWithPath: useless))
      }
      func expectNothingLeft() throws {
        let entries = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        #expect(!entries.contains { $0.contains(".encrypting") })
        #expect(try numberOfFiles(of: backupFile(1)) == number)
      }
      try leave()
      var configuration = store.configuration(.first)
      // Or the opening removes the backup itself.
      configuration.storeOptions.migration.backups = .newest(5)
      try ModelContainer(for: Diary.self, configurations: configuration).close()
      try expectNothingLeft()
      try leave()
      try ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)
      try expectNothingLeft()
      // Of a backup that has the key already, as after a call that was cut off before the store's turn.
      let useless = backupFile(1).path + "-files/" + UUID().uuidString
      try Data("x".utf8).write(to: URL(fileURLWithPath: useless))
      try ModelContainer.changeEncryption(of: store.configuration(.second), to: .second)
      try expectNothingLeft()
    }

    @Test func `where the folder cannot be synchronized the call fails before anything is changed`() throws {
      try store.fill(store.open(.first))
      var configuration = store.configuration(.first)
      // Or the list of backups would be what fails.
      configuration.storeOptions.migration.backupFolder = store.folder.url.appending(path: "backups")
      let folder = store.folder.url.path
      // Files can be made there, and renamed, and whoever opens the folder is refused.
      try FileManager.default.setAttributes([.posixPermissions: 0o333], ofItemAtPath: folder)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
      for path in [store.folder.store.path, store.folder.store.path + "-files"] {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
      }
      for file in try FileManager.default.contentsOfDirectory(atPath: store.folder.store.path + "-files") {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o666], ofItemAtPath: store.folder.store.path + "-files/" + file)
      }
      _ = asOtherUser {
        #expect(throws: SwiftDataError.storeInputOutput) {
          try ModelContainer.changeEncryption(of: configuration, to: .second)
        }
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
      try store.check(store.open(.first))
    }

    @Test("Of several that change it at once one does, or none, and nothing is lost")
    func race() async throws {
      for _ in 0..<5 {
        let store = try DiaryStore()
        try store.fill(store.open(.first))
        let count = await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<4 {
            group.addTask {
              (try? ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)) != nil
            }
          }
          return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        // Each may find that another one looks at the file.
        #expect(count <= 1)
        try store.check(store.open(count == 1 ? .second : .first))
        #expect(!FileManager.default.fileExists(atPath: store.folder.store.path + ".encrypting"))
      }
    }

    @Test("The key that the store has must be named")
    func wrongKey() throws {
      try store.fill(store.open(.first))
      #expect(throws: SwiftDataError.wrongStoreKey) {
        try ModelContainer.changeEncryption(of: store.configuration(.second), to: .first)
      }
      try store.check(store.open(.first))
    }

    @Test("What is left of a call that was cut off is no hindrance, and goes")
    func leftover() throws {
      try store.fill(store.open(.first))
      let draft = store.folder.store.path + ".encrypting"
      for suffix in ["", "-journal"] { try Data("x".utf8).write(to: URL(fileURLWithPath: draft + suffix)) }
      try ModelContainer.changeEncryption(of: store.configuration(.first), to: .second)
      try store.check(store.open(.second))
      #expect(!FileManager.default.fileExists(atPath: draft))
      #expect(!FileManager.default.fileExists(atPath: draft + "-journal"))
    }

    @Test("What is left of a call that was cut off goes with the next opening")
    func leftoverAtOpening() throws {
      try store.fill(store.open(.first))
      let draft = URL(fileURLWithPath: store.folder.store.path + ".encrypting")
      try Data("plain".utf8).write(to: draft)
      try store.check(store.open(.first))
      #expect(!FileManager.default.fileExists(atPath: draft.path))
    }

    @Test("A store that another program encrypted writes no file in plain, and its own can be encrypted")
    func encryptedByOthers() throws {
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        try store.fill(store.open(nil))
        // As SQLCipher's shell does it, which knows nothing of the files.
        let plain = try Connection(ConnectionOptions(location: .file(path: store.folder.store.path)))
        try plain.endWriteAheadLog()
        let copy = store.folder.url.appending(path: "copy")
        let key: DatabaseKey = try #require(try store.configuration(.first).key)
        try plain.export(to: copy.path, key: key)
        plain.close()
        try FileReplacement.replace(store.folder.store.path, by: copy.path)
        let context = ModelContext(try store.open(.first))
        let diary = try #require(try context.fetch(FetchDescriptor<Diary>()).first { $0.title.hasSuffix(" 0") })
        #expect(throws: SwiftDataError.storeInputOutput) { try diary.readValue(forKey: \.picture) }
        let picture = Data(repeatElement("quick brown", count: 1_000).joined().utf8)
        let number = try numberOfFiles()
        context.insert(Diary(title: "new", picture: picture))
        #expect(throws: SwiftDataError.storeInputOutput) { try context.save() }
        #expect(try numberOfFiles() == number)
        try context.container.close()
        try ModelContainer.changeEncryption(of: store.configuration(.first), to: .first)
        try store.check(store.open(.first))
        #expect(try store.plainFiles() == [])
      }
    }

    @Test func `a store that another program decrypted has its large values, and its files can be decrypted`() throws {
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        try store.fill(store.open(.first))
        // As SQLCipher's shell does it, which knows nothing of the files.
        var options = try store.configuration(.first).options(forCopy: store.folder.store)
        options.mode = .readWriteCreate
        let encrypted = try Connection(options)
        try encrypted.endWriteAheadLog()
        let copy = store.folder.url.appending(path: "copy")
        try encrypted.export(to: copy.path, key: nil)
        encrypted.close()
        try FileReplacement.replace(store.folder.store.path, by: copy.path)
        let container = try store.open(nil)
        try store.check(container)
        try container.close()
        try ModelContainer.changeEncryption(of: store.configuration(nil), to: nil)
        try store.check(store.open(nil))
        let files = try store.plainFiles().filter { $0.contains("-files/") }
        #expect(try files.count == numberOfFiles())
      }
    }

    @Test("A copy of a store in memory is encrypted as its configuration says, twice at one place too")
    func memory() throws {
      let configuration = ModelConfiguration(isStoredInMemoryOnly: true, encryption: .first)
      let container = try ModelContainer(for: Diary.self, configurations: configuration)
      try store.fill(container)
      for _ in 0..<2 { try container.backup(to: store.folder.store) }
      #expect(try store.plainFiles() == [])
      try store.check(store.open(.first))
    }

    @Test func `a copy of a store in memory can be opened and keeps large values`() throws {
      let configuration = ModelConfiguration(isStoredInMemoryOnly: true, encryption: .first)
      let container = try ModelContainer(for: Diary.self, configurations: configuration)
      try container.backup(to: store.folder.store)
      let context = ModelContext(try store.open(.first))
      context.insert(Diary(title: "new", picture: Data(repeatElement("quick brown", count: 1_000).joined().utf8)))
      try context.save()
      #expect(try numberOfFiles() == 1)
      #expect(try store.plainFiles() == [])
      let again = ModelContext(try store.open(.first))
      #expect(try again.fetch(FetchDescriptor<Diary>()).first?.readValue(forKey: \.picture)?.count == 11_000)
    }

    @Test func `a copy of a store in memory does not take the place of what is no store`() throws {
      let configuration = ModelConfiguration(isStoredInMemoryOnly: true, encryption: .first)
      let container = try ModelContainer(for: Diary.self, configurations: configuration)
      let letter = Data("This is a letter, and no database.".utf8)
      try letter.write(to: store.folder.store)
      #expect(throws: SwiftDataError.self) { try container.backup(to: store.folder.store) }
      #expect(try Data(contentsOf: store.folder.store) == letter)
    }

    @Test("A backup that is plain, or has another key, is not restored")
    func otherBackups() throws {
      let (container, copy) = (try store.open(.first), try DiaryStore())
      try store.fill(container)
      try container.backup(to: copy.folder.store)
      try container.close()
      #expect(throws: SwiftDataError.wrongStoreKey) {
        try ModelContainer.restore(store.configuration(.second), from: copy.folder.store)
      }
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        try ModelContainer.changeEncryption(of: copy.configuration(.first), to: nil)
        #expect(throws: SwiftDataError.storeNotEncrypted) {
          try ModelContainer.restore(store.configuration(.first), from: copy.folder.store)
        }
      }
      try store.check(store.open(.first))
    }

    @Test func `a store that only has another key, or is plain, is not put aside by a restore`() throws {
      let copy = try DiaryStore()
      let other = try copy.open(.first)
      try copy.fill(other)
      try other.close()
      try store.fill(store.open(.second))
      let error = #expect(throws: SwiftDataError.wrongStoreKey) {
        try ModelContainer.restore(store.configuration(.first), from: copy.folder.store)
      }
      #expect(error?.url == store.folder.store)
      try store.check(store.open(.second))
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        try ModelContainer.changeEncryption(of: store.configuration(.second), to: nil)
        #expect(throws: SwiftDataError.storeNotEncrypted) {
          try ModelContainer.restore(store.configuration(.first), from: copy.folder.store)
        }
        try store.check(store.open(nil))
        let plain = try DiaryStore()
        try plain.fill(plain.open(nil))
        #expect(throws: SwiftDataError.storeEncrypted) {
          try ModelContainer.restore(copy.configuration(nil), from: plain.folder.store)
        }
      }
      try copy.check(copy.open(.first))
      let entries = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
      #expect(!entries.contains { $0.contains(".damaged-") })
    }

    @Test(arguments: [
      (ModelConfiguration.Encryption?.some(.first), ModelConfiguration.Encryption?.some(.second)), (nil, .first),
      (.first, nil), (.passphrase("sesame"), .passphrase("sesame")),
    ])
    func `a copy from before a change of the encryption is replaced by the next one, with its files`(
      _ former: ModelConfiguration.Encryption?, _ next: ModelConfiguration.Encryption?
    ) throws {
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        let (container, copy) = (try store.open(former), try DiaryStore())
        try store.fill(container)
        try container.backup(to: copy.folder.store)
        try container.close()
        try ModelContainer.changeEncryption(of: store.configuration(former), to: next)
        let changed = try store.open(next)
        for _ in 0..<2 {
          try changed.backup(to: copy.folder.store)
          if next != nil { #expect(try copy.plainFiles() == []) }
          let opened = try copy.open(next)
          try copy.check(opened)
          try opened.close()
        }
      }
    }

    @Test("A store in memory, and one that is not there, have nothing to change")
    func nothing() throws {
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer.changeEncryption(
          of: ModelConfiguration(isStoredInMemoryOnly: true), to: .first)
      }
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer.changeEncryption(
          of: ModelConfiguration(url: store.folder.url.appending(path: "none.store"), encryption: .first), to: .second)
      }
    }

    @Test("After kill -9 at any moment the store has one of the two keys, and all that it held")
    func moments() throws {
      try store.fill(store.open(.first), 100)
      let images = try everyMoment(of: store.folder.store) { configuration in
        try Self.change(configuration)
      }
      #expect(images.count > 20)
      var wasChanged = false
      for (number, image) in images.enumerated() {
        let isChanged = try image.unpacked { try Self.check($0) }
        #expect(isChanged || !wasChanged, "changed back at \(number)")
        wasChanged = isChanged
      }
      #expect(wasChanged)
    }

    @Test("A disk that fails at any moment leaves the store as it was", arguments: FaultyDisk.Fault.allCases)
    func faults(_ fault: FaultyDisk.Fault) throws {
      try store.fill(store.open(.first), 100)
      let count = try everyFault(fault, isLasting: false, of: StoreImage(of: store.folder.store)) { configuration in
        try Self.change(configuration)
      } check: { url, succeeded in
        let isChanged = try Self.check(url)
        #expect(isChanged == succeeded)
      }
      #expect(count > 20)
    }

    private static func change(_ configuration: ModelConfiguration) throws {
      var configuration = configuration
      configuration.encryption = .first
      try ModelContainer.changeEncryption(of: configuration, to: .second)
    }

    /// Whether a store has the new key. One that has neither, or not all that it held, fails the test.
    private static func check(_ url: URL) throws -> Bool {
      let store = try DiaryStore(at: url)
      let changed = try? store.open(.second)
      try store.check(changed ?? store.open(.first), 100)
      return changed != nil
    }

    private static func history(after token: DefaultHistoryToken) -> HistoryDescriptor<DefaultHistoryTransaction> {
      HistoryDescriptor(predicate: #Predicate { $0.token > token })
    }

    private func token(_ encryption: ModelConfiguration.Encryption?) throws -> DefaultHistoryToken {
      let context = ModelContext(try store.open(encryption))
      return try #require(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    }

    /// The place of a backup as migrations name theirs.
    private func backupFile(_ day: Int) -> URL {
      store.folder.url.appending(path: store.folder.store.lastPathComponent + ".backup-2026-11-0\(day)T141500Z")
    }

    private func numberOfFiles(of copy: URL? = nil) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: (copy ?? store.folder.store).path + "-files").count
    }
  }
#endif
