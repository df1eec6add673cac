import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import Testing

#if Encryption
  @Suite struct EncryptionDamageTests {
    private let store: DiaryStore

    init() throws {
      store = try DiaryStore()
      try store.fill(store.open(.first))
    }

    @Test("Another key, no key, and a key for a plain file are an error each")
    func keys() throws {
      #expect(throws: SwiftDataError.wrongStoreKey) { try store.open(.second) }
      #expect(throws: SwiftDataError.wrongStoreKey) { try store.open(.passphrase("sesame")) }
      try DatabaseKey.$hasPlainFiles.withValue(true) {
        #expect(throws: SwiftDataError.storeEncrypted) { try store.open(nil) }
        let plain = try DiaryStore()
        try plain.fill(plain.open(nil))
        #expect(throws: SwiftDataError.storeNotEncrypted) { try plain.open(.first) }
        try plain.check(plain.open(nil))
      }
      try store.check(store.open(.first))
    }

    @Test("A file whose first page was changed does not open", arguments: [20, 2_000, 4_090])
    func firstPage(_ place: Int) throws {
      try damage(at: place)
      #expect(throws: SwiftDataError.wrongStoreKey) { try store.open(.first) }
    }

    @Test("A changed page is damage, whatever reads it, and stays damage")
    func page() throws {
      let pages = try Data(contentsOf: store.folder.store).count / 4_096
      for page in 1..<pages { try damage(at: page * 4_096 + 100) }
      let error = #expect(throws: SwiftDataError.self) {
        let context = ModelContext(try store.open(.first))
        _ = try context.fetch(FetchDescriptor<Diary>()).map(\.text)
      }
      #expect(error == .storeDamaged || error?.sqliteCode == 11)
    }

    @Test("A file that was cut off is damage", arguments: [4_096, 40_000, 40_960])
    func truncation(_ length: Int) throws {
      try Data(contentsOf: store.folder.store).prefix(length).write(to: store.folder.store)
      let error = #expect(throws: SwiftDataError.self) {
        _ = try ModelContext(try store.open(.first)).fetch(FetchDescriptor<Diary>()).map(\.text)
      }
      #expect(error == .storeDamaged || error?.sqliteCode == 11)
    }

    @Test("A value's file that was changed, or has another's name, is damage")
    func files() throws {
      let folder = URL(fileURLWithPath: store.folder.store.path + "-files")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      let (first, second) = (folder.appending(path: names[0]), folder.appending(path: names[1]))
      let bytes = try Data(contentsOf: first)
      for changed in [
        bytes.dropLast(), bytes + [0], Data(), Data(repeating: 7, count: 50), try Data(contentsOf: second),
      ] {
        try changed.write(to: first)
        let context = ModelContext(try store.open(.first))
        let error = #expect(throws: SwiftDataError.storeDamaged) {
          for diary in try context.fetch(FetchDescriptor<Diary>()) { _ = try diary.readValue(forKey: \.picture) }
        }
        #expect(error?.property == "picture")
      }
    }

    private func damage(at place: Int) throws {
      var bytes = try Data(contentsOf: store.folder.store)
      bytes[place] ^= 1
      try bytes.write(to: store.folder.store)
    }
  }
#endif
