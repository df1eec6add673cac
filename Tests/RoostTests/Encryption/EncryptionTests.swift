import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import RoostVault
import Testing

#if Encryption
  @Suite struct EncryptionTests {
    private let store: DiaryStore

    init() throws { store = try DiaryStore() }

    @Test("No file of an encrypted store has a word in plain: not its log while it is open, nor a backup")
    func plaintext() throws {
      let container = try store.open(.first)
      try store.fill(container)
      try container.backup(to: store.folder.url.appending(path: "copy.store"))
      let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder.url.path)
      #expect(files.contains { $0.hasSuffix("-wal") })
      #expect(files.contains { $0.contains("-files/") })
      #expect(try store.plainFiles() == [])
      try container.close()
      #expect(try store.plainFiles() == [])
    }

    @Test("A plain store has the words in its files, or the test above would see nothing")
    func plain() throws {
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        let container = try store.open(nil)
        try store.fill(container)
        #expect(try store.plainFiles().count > 2)
      }
    }

    @Test("The key opens the store again", arguments: [ModelConfiguration.Encryption.first, .passphrase("sesame")])
    func reopening(_ encryption: ModelConfiguration.Encryption) throws {
      try store.fill(store.open(encryption))
      try store.check(store.open(encryption))
    }

    @Test(
      "A backup opens with the store's key", arguments: [ModelConfiguration.Encryption.first, .passphrase("sesame")])
    func backup(_ encryption: ModelConfiguration.Encryption) throws {
      let (container, copy) = (try store.open(encryption), try DiaryStore())
      try store.fill(container)
      try container.backup(to: copy.folder.store)
      try copy.check(copy.open(encryption))
      try ModelContext(container).delete(model: Diary.self)
      try container.close()
      try ModelContainer.restore(store.configuration(encryption), from: copy.folder.store)
      try store.check(store.open(encryption))
    }

    @Test func `a container that is open while a backup is restored takes the key of the backup's files`() throws {
      let (first, copy) = (try store.open(.first), try DiaryStore())
      try store.fill(first)
      try first.backup(to: copy.folder.store)
      try first.close()
      // Which gives the store's files, and not the copy's, another key.
      try ModelContainer.changeEncryption(of: store.configuration(.first), to: .first)
      let open = try store.open(.first)
      try ModelContainer.restore(store.configuration(.first), from: copy.folder.store)
      try store.check(open)

      try ModelContainer.changeEncryption(of: copy.configuration(.first), to: .first)
      try ModelContainer.restore(store.configuration(.first), from: copy.folder.store)
      let context = ModelContext(open)
      let picture = Data(repeating: 7, count: 5_000)
      context.insert(Diary(title: "new", picture: picture))
      try context.save()
      try open.close()
      let again = ModelContext(try store.open(.first))
      let found = try again.fetch(FetchDescriptor<Diary>(predicate: #Predicate { $0.title == "new" }))
      #expect(try found.map { try $0.readValue(forKey: \.picture) } == [picture])
    }

    @Test("Of several that make a store at once each gets it", arguments: [false, true])
    func race(_ hasPassphrase: Bool) async throws {
      for _ in 0..<5 {
        let url = store.folder.url.appending(path: UUID().uuidString)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<4 {
            group.addTask {
              // A value of its own has keys of its own.
              let configuration = ModelConfiguration(
                url: url, encryption: hasPassphrase ? .passphrase("sesame") : .first)
              let context = ModelContext(try ModelContainer(for: Diary.self, configurations: configuration))
              context.insert(Diary(title: "\(number)"))
              try context.save()
            }
          }
          try await group.waitForAll()
        }
        let configuration = ModelConfiguration(url: url, encryption: hasPassphrase ? .passphrase("sesame") : .first)
        let context = ModelContext(try ModelContainer(for: Diary.self, configurations: configuration))
        #expect(try context.fetchCount(FetchDescriptor<Diary>()) == 4)
      }
    }

    @Test("SQLCipher itself opens a store with its passphrase")
    func passphrase() throws {
      try store.fill(store.open(.passphrase("it's \"me\"")))
      let connection = try Connection(ConnectionOptions(location: .file(path: store.folder.store.path + "-other")))
      try connection.execute("ATTACH '\(store.folder.store.path)' AS store KEY 'it''s \"me\"'")
      #expect(try connection.strings("SELECT count(*) FROM store.\"Diary\"") == ["180"])
    }

    @Test("A passphrase's key is made once for all connections of a container")
    func derivation() throws {
      let configuration = store.configuration(.passphrase("sesame"))
      let first = try #require(try configuration.key)
      let container = try ModelContainer(for: Diary.self, configurations: configuration)
      #expect(container.store.pool.options.key?.bytes === first.bytes)
    }

    @Test("What is sorted, and temporary tables, stay in memory on all connections")
    func temporaries() throws {
      let container = try store.open(.first)
      let pool = container.store.pool
      #expect(try pool.read { try $0.strings("PRAGMA temp_store") } == ["2"])
      #expect(try pool.write { try $0.strings("PRAGMA temp_store") } == ["2"])
      #expect(try pool.read { try $0.strings("PRAGMA cache_size") } == ["-65536"])
    }

    @Test("A migration's backup is encrypted, and can be put back")
    func migration() throws {
      try store.fill(store.open(.first))
      let configuration = store.configuration(.first)
      let report = try ModelContainer.dryRun(for: Remark2.Remark.self, configurations: configuration)
      #expect(report.isNeeded)
      #expect(report.succeeded)
      try ModelContainer(for: Remark2.Remark.self, configurations: configuration).close()
      let backup = try #require(try ModelContainer.backups(of: configuration).first)
      #expect(try store.plainFiles() == [])
      try ModelContainer.restore(configuration, from: backup.url)
      try store.check(store.open(.first))
    }

    @Test("A store that is only read needs its key, too")
    func readOnly() throws {
      try store.fill(store.open(.first))
      let configuration = ModelConfiguration(url: store.folder.store, allowsSave: false, encryption: .first)
      try store.check(ModelContainer(for: Diary.self, configurations: configuration))
    }

    @Test("Neither a configuration nor its encryption shows a key")
    func printing() throws {
      let key = Data((0..<32).map { UInt8(ascii: "k") + $0 % 3 })
      for encryption in [ModelConfiguration.Encryption.key(key), .passphrase("klmklm")] {
        let configuration = store.configuration(encryption)
        var text = "\(encryption) \(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        dump(try configuration.connectionOptions, to: &text)
        // The key's bytes, as numbers too: the salt, the folder's name and addresses may have any digits.
        #expect(!text.contains("klm") && !text.contains(/107\D+108\D+109/))
        #expect(text.contains("<secret>") && text.contains("encrypted"))
      }
    }

    @Test("No statement that is told to a trace has the key")
    func trace() throws {
      let recorder = StatementRecorder()
      var configuration = store.configuration(.key(Array(repeating: 0xab, count: 32)))
      configuration.storeOptions.recorder = recorder
      try store.fill(ModelContainer(for: Diary.self, configurations: configuration))
      #expect(recorder.statements.count > 10)
      #expect(!recorder.statements.contains { $0.lowercased().contains("abab") })
    }

    @Test func `no statement that is told with its values has the key of the files`() throws {
      let recorder = StatementRecorder()
      var configuration = store.configuration(.first)
      configuration.storeOptions.recorder = recorder
      configuration.storeOptions.reportsArguments = true
      let container = try ModelContainer(for: Diary.self, configurations: configuration)
      try store.fill(container)
      let keys = try container.store.pool.read { connection in
        try connection.strings("SELECT value FROM _roost_meta WHERE key = 'file key'")
      }
      let key = try #require(keys.first)
      #expect(recorder.statements.contains { $0.contains("the quick brown fox 0") })
      #expect(!recorder.statements.contains { $0.contains(key) })
    }

    @Test("A vault makes a store's key once")
    func vault() throws {
      let secrets = SecretStore.memory()
      try store.fill(store.open(.key(from: secrets, named: "diary")))
      try store.check(store.open(.key(from: secrets, named: "diary")))
      #expect(throws: SwiftDataError.wrongStoreKey) { try store.open(.key(from: secrets, named: "letters")) }
      #expect(try secrets.list() == ["key:diary", "key:letters"])
    }

    @Test("A key has 32 bytes, and a passphrase is not empty")
    func validation() throws {
      for (encryption, text) in [
        (ModelConfiguration.Encryption.key([1, 2, 3]), "has 3 bytes"), (.passphrase(""), "passphrase is empty"),
      ] {
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try store.open(encryption) }
        #expect(error?.message.contains(text) ?? false)
      }
    }

    @Test("Equal keys are equal, and others are not")
    func equality() {
      #expect(ModelConfiguration.Encryption.key(Data(repeating: 1, count: 32)) == .first)
      #expect(ModelConfiguration.Encryption.first != .second)
      #expect(ModelConfiguration.Encryption.passphrase("a") == .passphrase("a"))
      #expect(ModelConfiguration.Encryption.passphrase("a") != .passphrase("b"))
    }
  }

  /// The same store without diaries.
  private enum Remark2 {
    @Model final class Remark {
      var text: String
      init(_ text: String) { self.text = text }
    }
  }
#else
  @Suite struct EncryptionTests {
    @Test("A program that was built without encryption is told so when it asks for it")
    func withoutTrait() throws {
      let folder = try TemporaryFolder()
      let configuration = ModelConfiguration(url: folder.store, encryption: .key(Data(count: 32)))
      let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer(for: Diary.self, configurations: configuration)
      }
      #expect(error?.remedy?.contains("traits: [\"Encryption\"]") ?? false)
      #expect(!FileManager.default.fileExists(atPath: folder.store.path))
    }
  }
#endif
