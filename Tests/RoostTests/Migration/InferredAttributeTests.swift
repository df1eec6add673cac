import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import RoostTesting
import Testing

/// Changes of attributes that follow from both schemas.
@Suite struct InferredAttributeTests {
  private let store: Migrated

  init() throws { store = try Migrated() }

  private func makeNotes() throws {
    try store.open(Versions.Original.Note.self) { context in
      context.insert(Versions.Original.Note(title: "🐦 first", stars: 3, body: "text"))
      context.insert(Versions.Original.Note(title: "", stars: -1, body: nil))
      context.insert(Versions.Original.Note(title: String(repeating: "long ", count: 2_000), stars: .max, body: ""))
    }
  }

  @Test func `added properties have their defaults, each row its own where they differ`() throws {
    try makeNotes()
    try store.open(Versions.Added.Note.self) { context in
      let notes = try context.fetch(FetchDescriptor<Versions.Added.Note>(sortBy: [SortDescriptor(\.stars)]))
      #expect(notes.map(\.stars) == [-1, 3, .max])
      #expect(notes.map(\.title.count) == [0, 7, 10_000])
      #expect(notes.allSatisfy { $0.language == "en" && $0.isOpen && $0.due == nil && $0.tags == ["new"] })
      #expect(Set(notes.map(\.token)).count == 3)
    }
    try store.checkFile(Versions.Added.Note.self)
  }

  @Test func `what needs no other rows is added without rewriting the table`() throws {
    try makeNotes()
    let root = try store.strings("SELECT rootpage FROM sqlite_schema WHERE name = 'Note'")
    try store.open(Versions.Extended.Note.self) { context in
      try #expect(context.fetch(FetchDescriptor<Versions.Extended.Note>()).map(\.language) == ["en", "en", "en"])
    }
    #expect(try store.strings("SELECT rootpage FROM sqlite_schema WHERE name = 'Note'") == root)
    try store.checkFile(Versions.Extended.Note.self)
  }

  @Test func `a renamed property and a renamed model keep what is stored`() throws {
    try makeNotes()
    try store.open(Versions.Renamed.Memo.self) { context in
      let memos = try context.fetch(FetchDescriptor<Versions.Renamed.Memo>(sortBy: [SortDescriptor(\.rating)]))
      #expect(memos.map(\.rating) == [-1, 3, .max])
      #expect(memos.map(\.headline.count) == [0, 7, 10_000])
      #expect(memos.map(\.body) == [nil, "text", ""])
    }
    try store.checkFile(Versions.Renamed.Memo.self)
  }

  @Test func `a former name may be something new's`() throws {
    try makeNotes()
    try store.open(Versions.Reused.Memo.self, Versions.Reused.Note.self) { context in
      let memos = try context.fetch(FetchDescriptor<Versions.Reused.Memo>(sortBy: [SortDescriptor(\.rating)]))
      #expect(memos.map(\.headline.count) == [0, 7, 10_000] && memos.map(\.rating) == [-1, 3, .max])
      #expect(memos.map(\.title) == ["new", "new", "new"])
      try #expect(context.fetchCount(FetchDescriptor<Versions.Reused.Note>()) == 0)
    }
    try store.checkFile(Versions.Reused.Memo.self, Versions.Reused.Note.self)
  }

  @Test func `a model may have the former name of one that refers to it`() throws {
    try makeNotes()
    try store.open(Versions.Succeeded.Note.self, Versions.Succeeded.Memo.self) { context in
      let memos = try context.fetch(FetchDescriptor<Versions.Succeeded.Memo>(sortBy: [SortDescriptor(\.stars)]))
      #expect(memos.map(\.stars) == [-1, 3, .max] && memos.map(\.body) == [nil, "text", ""])
      memos[0].note = Versions.Succeeded.Note(word: "new")
    }
    try store.checkFile(Versions.Succeeded.Note.self, Versions.Succeeded.Memo.self)
  }

  @Test func `names may move on by one`() throws {
    try store.open(Versions.Pair.Name.self) { $0.insert(Versions.Pair.Name(first: "Ada", last: "Lovelace")) }
    try store.open(Versions.Shifted.Name.self) { context in
      let name = try #require(try context.fetch(FetchDescriptor<Versions.Shifted.Name>()).first)
      #expect(name.first == "none" && name.last == "Ada" && name.family == "Lovelace")
    }
    try store.checkFile(Versions.Shifted.Name.self)
  }

  @Test func `properties may exchange their names`() throws {
    try store.open(Versions.Pair.Name.self) { $0.insert(Versions.Pair.Name(first: "Ada", last: "Lovelace")) }
    try store.open(Versions.Exchanged.Name.self) { context in
      let name = try #require(try context.fetch(FetchDescriptor<Versions.Exchanged.Name>()).first)
      #expect(name.first == "Lovelace")
      #expect(name.last == "Ada")
    }
    try store.checkFile(Versions.Exchanged.Name.self)
  }

  @Test func `models may exchange their names, also where nothing else tells them apart`() throws {
    try store.open(Versions.Twins.Left.self, Versions.Twins.Right.self) { context in
      context.insert(Versions.Twins.Left(text: "was left"))
      context.insert(Versions.Twins.Right(text: "was right"))
    }
    for _ in 1...2 {
      try store.open(Versions.Crossed.Left.self, Versions.Crossed.Right.self) { context in
        try #expect(context.fetch(FetchDescriptor<Versions.Crossed.Left>()).map(\.text) == ["was right"])
        try #expect(context.fetch(FetchDescriptor<Versions.Crossed.Right>()).map(\.text) == ["was left"])
      }
    }
    try store.checkFile(Versions.Crossed.Left.self, Versions.Crossed.Right.self)
  }

  @Test func `an optional property may become required where no row lacks it or there is a default`() throws {
    try makeNotes()
    try store.open(Versions.Required.Note.self) { context in
      let notes = try context.fetch(FetchDescriptor<Versions.Required.Note>(sortBy: [SortDescriptor(\.stars)]))
      #expect(notes.map(\.body) == ["none", "text", ""])
    }
    try store.checkFile(Versions.Required.Note.self)
    try store.open(Versions.Original.Note.self) { context in
      try #expect(context.fetch(FetchDescriptor<Versions.Original.Note>()).allSatisfy { $0.body != nil })
    }
    try store.checkFile(Versions.Original.Note.self)
    #expect(try store.obstacles(Versions.Demanding.Note.self) == [])
    try store.checkFile(Versions.Demanding.Note.self)
  }

  @Test func `rows without a value that becomes required are named, and nothing is touched`() throws {
    try makeNotes()
    let obstacles = try store.obstacles(Versions.Demanding.Note.self)
    #expect(obstacles.map(\.property) == ["body"])
    #expect(obstacles.first?.model == "Note")
    #expect(obstacles.first?.rowCount == 1)
    #expect(obstacles.first?.exampleRow == "2")
    #expect(obstacles.first?.remedy.contains(#".transform(\V1.Note.body, to: \V2.Note.body)"#) ?? false)
    try store.checkFile(Versions.Original.Note.self)
  }

  @Test func `numbers may become wider`() throws {
    try store.open(Versions.Narrow.Gauge.self) { context in
      context.insert(Versions.Narrow.Gauge(byte: -128, word: .max, small: 250, ratio: 0.1, kind: .high))
    }
    try store.open(Versions.Wide.Gauge.self) { context in
      let gauge = try #require(try context.fetch(FetchDescriptor<Versions.Wide.Gauge>()).first)
      #expect(gauge.byte == -128)
      #expect(gauge.word == Double(Int32.max))
      #expect(gauge.small == 250)
      #expect(gauge.ratio == Double(Float(0.1)))
      #expect(gauge.kind == 2)
    }
    try store.checkFile(Versions.Wide.Gauge.self)
  }

  @Test func `a value that may be none of the new type is an obstacle with its row`() throws {
    try makeNotes()
    let obstacles = try store.obstacles(Versions.Retyped.Note.self)
    #expect(obstacles.map(\.property) == ["stars"])
    #expect(obstacles.first?.message == "It was Int64, and is String.")
    #expect(obstacles.first?.exampleRow == "1 (3)")
    let discreet = try store.obstacles(Versions.Retyped.Note.self, reportsArguments: false)
    #expect(discreet.first?.exampleRow == "1", "errors end in logs")
    try store.checkFile(Versions.Original.Note.self)
  }

  @Test func `what the program does not declare goes without a word of the log where the program says so`() throws {
    try makeNotes()
    let obstacles = try store.obstacles(Versions.Reduced.Note.self, drops: .refuse)
    #expect(obstacles.map(\.property) == ["body"])
    #expect(obstacles.first?.rowCount == 2)
    try store.checkFile(Versions.Original.Note.self)
    try store.open(Versions.Reduced.Note.self, mayDrop: ["Note.body"], drops: .refuse) { context in
      try #expect(context.fetchCount(FetchDescriptor<Versions.Reduced.Note>()) == 3)
    }
    try store.checkFile(Versions.Reduced.Note.self)
    #expect(CapturedLog.lines(about: store.url).isEmpty)
    #expect(try ModelContainer.backups(of: store.configuration()) == [])
  }

  @Test func `a property that no row has a value of goes by itself`() throws {
    try store.open(Versions.Original.Note.self) { $0.insert(Versions.Original.Note(title: "a", stars: 1, body: nil)) }
    #expect(try store.obstacles(Versions.Reduced.Note.self, drops: .refuse) == [])
    try store.checkFile(Versions.Reduced.Note.self)
    #expect(CapturedLog.lines(about: store.url).isEmpty)
  }

  @Test func `a forgotten original name is asked about`() throws {
    try store.open(Versions.Pair.Name.self) { $0.insert(Versions.Pair.Name(first: "Ada", last: "Lovelace")) }
    let obstacles = try store.obstacles(Versions.Forgotten.Name.self)
    let remedy = try #require(obstacles.first { $0.property == "last" }).remedy
    #expect(remedy.contains(#"@Attribute(originalName: "last") var family"#))
  }

  @Test func `a unique constraint is added where its rows differ`() throws {
    try store.open(Versions.Pair.Name.self) { context in
      for last in ["a", "b", "b"] { context.insert(Versions.Pair.Name(first: "x", last: last)) }
    }
    let obstacles = try store.obstacles(Versions.Unique.Name.self)
    #expect(obstacles.map(\.exampleRow) == ["2 ('b')"])
    #expect(obstacles.first?.remedy.contains(#".deduplicate(by: \V1.Name.last, keep: .first)"#) ?? false)
    try store.open(Versions.Pair.Name.self) { context in
      try context.fetch(FetchDescriptor<Versions.Pair.Name>()).forEach { $0.last += "\($0.persistentModelID)" }
    }
    #expect(try store.obstacles(Versions.Unique.Name.self) == [])
    try store.checkFile(Versions.Unique.Name.self)
  }

  @Test func `what is to be unique is named as the older version has it`() throws {
    try store.open(Versions.Pair.Name.self) { context in
      for last in ["a", "b", "b"] { context.insert(Versions.Pair.Name(first: "x", last: last)) }
    }
    let obstacles = try store.obstacles(Versions.UniqueRenamed.Title.self)
    #expect(Set(obstacles.map(\.property)) == ["family", "code"])
    let remedies = Dictionary(uniqueKeysWithValues: obstacles.map { ($0.property, $0.remedy) })
    #expect(remedies["family"]?.contains(#".deduplicate(by: \V1.Name.last, keep: .first)"#) ?? false)
    #expect(remedies["code"]?.contains(".custom(from: V1.self, to: V2.self, steps: []) { old, new in … }") ?? false)
  }

  @Test func `values move out of files and back`() throws {
    let bytes = Data(repeating: 7, count: 200_000)
    try store.open(Versions.Inline.Photo.self) { $0.insert(Versions.Inline.Photo(bytes: bytes, caption: "c")) }
    try store.open(Versions.Outside.Photo.self) { context in
      try #expect(context.fetch(FetchDescriptor<Versions.Outside.Photo>()).first?.bytes == bytes)
      context.insert(Versions.Outside.Photo(bytes: bytes + [1], caption: "d"))
    }
    try store.checkFile(Versions.Outside.Photo.self)
    try store.open(Versions.Inline.Photo.self) { context in
      let photos = try context.fetch(FetchDescriptor<Versions.Inline.Photo>(sortBy: [SortDescriptor(\.caption)]))
      #expect(photos.map(\.bytes) == [bytes, bytes + [1]])
    }
    try store.checkFile(Versions.Inline.Photo.self)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.url.path + "-files") == [])
  }

  @Test func `files go once the rows are on the disk that have their values`() throws {
    let bytes = Data(repeating: 7, count: 200_000)
    try store.open(Versions.Outside.Photo.self) { $0.insert(Versions.Outside.Photo(bytes: bytes, caption: "c")) }
    let recorder = StatementRecorder()
    let configuration = store.configuration().recording(to: recorder)
    try ModelContainer(for: Versions.Inline.Photo.self, configurations: configuration).close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.url.path + "-files") == [])
    let statements = recorder.statements
    let drop = try #require(statements.firstIndex { $0.hasPrefix("DROP TABLE") })
    let full = try #require(statements[..<drop].lastIndex { $0.hasPrefix("PRAGMA synchronous") })
    let normal = try #require(statements[drop...].firstIndex { $0.hasPrefix("PRAGMA synchronous") })
    #expect(statements[full] == "PRAGMA synchronous=FULL" && statements[normal] == "PRAGMA synchronous=NORMAL")
    #expect(statements[drop..<normal].contains("COMMIT"))
  }

  @Test func `objects of other programs survive, or say that they cannot`() throws {
    try makeNotes()
    let connection = try store.connection()
    try connection.execute(
      """
      CREATE TABLE log (title TEXT);
      CREATE TRIGGER keep AFTER INSERT ON Note BEGIN INSERT INTO log VALUES (NEW.title); END;
      CREATE VIEW best AS SELECT title FROM Note WHERE stars > 2;
      CREATE INDEX mine ON Note (body, stars);
      """)
    connection.close()
    try store.open(Versions.Added.Note.self) { $0.insert(Versions.Added.Note(title: "new", stars: 9)) }
    #expect(try store.strings("SELECT title FROM log") == ["new"])
    #expect(try store.strings("SELECT count(*) FROM best") == ["3"])
    #expect(try store.strings("SELECT name FROM sqlite_schema WHERE name = 'mine'") == ["mine"])
    let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try store.open(
        Versions.Reduced.Note.self, mayDrop: ["Note.body", "Note.tags", "Note.language", "Note.isOpen", "Note.token"]
      ) { _ in }
    }
    #expect(error?.message.contains("index \"mine\"") ?? false)
    let count = try store.open(Versions.Added.Note.self) { try $0.fetchCount(FetchDescriptor<Versions.Added.Note>()) }
    #expect(count == 4)
  }
}
