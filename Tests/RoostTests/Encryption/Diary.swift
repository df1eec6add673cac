import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

@Model final class Diary {
  #Unique<Diary>([\.title])
  #Index<Diary>([\.text])
  #FullText<Diary>([\.text])
  var title: String
  var text: String
  @Attribute(.externalStorage) var picture: Data?
  @Relationship(deleteRule: .cascade, inverse: \Remark.diary) var remarks: [Remark] = []

  init(title: String, text: String = "", picture: Data? = nil) {
    self.title = title
    self.text = text
    self.picture = picture
  }
}

@Model final class Remark {
  var text: String
  var diary: Diary?

  init(_ text: String) { self.text = text }
}

#if Encryption
  /// Words that no file may have.
  private let words = "the quick brown fox"

  extension ModelConfiguration.Encryption {
    static let first = key([UInt8](repeating: 1, count: 32))
    static let second = key([UInt8](repeating: 2, count: 32))
  }

  /// A store of diaries in a folder of its own.
  struct DiaryStore {
    let folder: TemporaryFolder
    private let file: URL

    init() throws {
      folder = try TemporaryFolder()
      file = folder.store
    }

    /// The store at another place; the folder is that of a store that is looked after by others.
    init(at file: URL) throws {
      folder = try TemporaryFolder()
      self.file = file
    }

    func configuration(_ encryption: ModelConfiguration.Encryption?) -> ModelConfiguration {
      var configuration = ModelConfiguration(url: file, encryption: encryption)
      configuration.storeOptions.externalStorageThreshold = 1_000
      configuration.storeOptions.busyTimeout = .milliseconds(50)
      return configuration
    }

    func open(_ encryption: ModelConfiguration.Encryption?) throws -> ModelContainer {
      try ModelContainer(for: Diary.self, configurations: configuration(encryption))
    }

    /// Has diaries saved that contain the words everywhere.
    func fill(_ container: ModelContainer, _ count: Int = 200) throws {
      let context = ModelContext(container)
      for number in 0..<count {
        let picture = number % 50 == 0 ? Data(repeatElement(words, count: 100).joined().utf8) : nil
        let diary = Diary(title: "\(words) \(number)", text: words, picture: picture)
        diary.remarks = [Remark(words)]
        context.insert(diary)
      }
      try context.save()
      // History gets the former values' digests and the rows' keys.
      for diary in try context.fetch(FetchDescriptor<Diary>(predicate: #Predicate { $0.title.hasSuffix("7") })) {
        context.delete(diary)
      }
      try context.save()
    }

    /// Sees that all is there that ``fill(_:_:)`` has saved, and found in all ways.
    func check(_ container: ModelContainer, _ count: Int = 200) throws {
      let context = ModelContext(container)
      let diaries = try context.fetch(FetchDescriptor<Diary>())
      #expect(diaries.count == count - count / 10)
      #expect(diaries.allSatisfy { $0.text == words && $0.remarks.map(\.text) == [words] })
      let pictures = diaries.compactMap(\.picture)
      #expect(pictures.count == count / 50)
      #expect(pictures.allSatisfy { $0.starts(with: Data(words.utf8)) })
      let found = FetchDescriptor<Diary>(predicate: #Predicate { $0.text.matches("quick") })
      #expect(try context.fetchCount(found) == diaries.count)
      #expect(try !context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
    }

    /// The files in the folder in which the words can be read.
    func plainFiles() throws -> [String] {
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
      return files.filter { file in
        let bytes = try? Data(contentsOf: folder.url.appending(path: file))
        return bytes?.range(of: Data("quick brown".utf8)) != nil
      }
    }
  }
#endif
