import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import Testing

/// A store of a program that declared other full-text indexes.
@Suite struct FullTextSchemaTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ type: any PersistentModel.Type, allowsSave: Bool = true) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema([type]), configurations: [ModelConfiguration(url: folder.store, allowsSave: allowsSave)]))
  }

  private func strings(_ sql: String) throws -> [String] {
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    var strings: [String] = []
    while try statement.step() { strings.append(statement.string(0)) }
    return strings
  }

  private func objects() throws -> [String] {
    try strings("SELECT name FROM sqlite_schema WHERE name GLOB 'Note_*' AND sql IS NOT NULL")
  }

  private func count<Note: PersistentModel>(_ context: ModelContext, _ predicate: Predicate<Note>) throws -> Int {
    try context.fetchCount(FetchDescriptor(predicate: predicate))
  }

  @Test func `an index that is declared later has what is stored, and goes with its declaration`() throws {
    let plain = try open(Plain.Note.self)
    plain.insert(Plain.Note("Swimming birds"))
    try plain.save()
    try plain.container.close()
    #expect(try objects().isEmpty)

    #expect(throws: SwiftDataError.loadIssueModelContainer) { try open(Words.Note.self, allowsSave: false) }
    let words = try open(Words.Note.self)
    #expect(try count(words, #Predicate<Words.Note> { $0.text.matches("birds") }) == 1)
    #expect(try count(words, #Predicate<Words.Note> { $0.text.matches("swim") }) == 0)
    try words.container.close()
    #expect(try objects().contains("Note_text_words_update"))
    let made = try strings("SELECT rootpage FROM sqlite_schema WHERE name = 'Note_text_words_data'")

    let readOnly = try open(Words.Note.self, allowsSave: false)
    #expect(try count(readOnly, #Predicate<Words.Note> { $0.text.matches("birds") }) == 1)
    try readOnly.container.close()
    try open(Words.Note.self).container.close()
    #expect(try strings("SELECT rootpage FROM sqlite_schema WHERE name = 'Note_text_words_data'") == made)

    let stems = try open(Stems.Note.self)
    #expect(try count(stems, #Predicate<Stems.Note> { $0.text.matches("swim") }) == 1)
    try stems.container.close()

    let parts = try open(Parts.Note.self)
    #expect(try count(parts, #Predicate<Parts.Note> { $0.text.matches("wimm") }) == 1)
    try parts.container.close()
    #expect(try objects().allSatisfy { $0.hasPrefix("Note_text_parts") })

    let again = try open(Plain.Note.self)
    #expect(try again.fetch(FetchDescriptor<Plain.Note>()).map(\.text) == ["Swimming birds"])
    try again.container.close()
    #expect(try objects().isEmpty)
  }

  @Test func `an index that lost a trigger is made anew`() throws {
    let context = try open(Words.Note.self)
    try context.container.close()
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("DROP TRIGGER Note_text_words_insert; INSERT INTO Note (text) VALUES ('lost words')")
    #expect(try count(open(Words.Note.self), #Predicate<Words.Note> { $0.text.matches("lost") }) == 1)
  }

  @Test func `other programs' writes are found`() throws {
    let context = try open(Words.Note.self)
    let connection = try Connection(ConnectionOptions(location: .file(path: folder.store.path)))
    try connection.execute("INSERT INTO Note (text) VALUES ('from the shell'), ('another')")
    #expect(try count(context, #Predicate<Words.Note> { $0.text.matches("shell") }) == 1)
    try connection.execute("UPDATE Note SET text = 'changed' WHERE _pk = 1; DELETE FROM Note WHERE _pk = 2")
    #expect(try count(context, #Predicate<Words.Note> { $0.text.matches(.any("shell another")) }) == 0)
    #expect(try count(context, #Predicate<Words.Note> { $0.text.matches("changed") }) == 1)
    let rows = try context.rows(
      sql: "SELECT rowid FROM Note_text_words WHERE Note_text_words MATCH 'changed'", as: Int.self)
    #expect(rows == [1])
  }

  @Test(
    arguments: [
      (Number.Note.self, "count", "Only a String"), (External.Note.self, "text", "beside the store"),
      (Ephemeral.Note.self, "text", "not stored"), (Codes.Note.self, "text", "Only a String"),
      (Related.Note.self, "next", "Only a String"), (Twice.Note.self, "text", "two full-text indexes"),
      (Rank.Note.self, "rank", "no column of that name"),
    ] as [(any PersistentModel.Type, String, String)])
  func `what cannot be in a full-text index is refused`(
    type: any PersistentModel.Type, property: String, message: String
  ) throws {
    let error = #expect(throws: SwiftDataError.self) { try open(type) }
    #expect(error == .invalidSchema && error?.model == "Note" && error?.property == property)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test func `a schema says what indexes it has`() throws {
    let entity = try #require(Schema([Both.Note.self]).entities.first)
    #expect(entity.fullTextIndices.map(\.name) == ["Note_text_parts", "Note_text_title_words"])
    let decoded = try JSONDecoder().decode(Schema.Entity.self, from: JSONEncoder().encode(entity))
    #expect(decoded == entity)
    let declaration = Schema.FullText<Both.Note>([\.text, \.title], tokenizer: .porter)
    #expect(declaration.debugDescription == #"#FullText<Note>([\.text, \.title], tokenizer: .porter)"#)
    let again = try JSONDecoder().decode(
      Schema.FullText<Both.Note>.self, from: JSONEncoder().encode(declaration))
    #expect(again == declaration)
    let context = try open(Both.Note.self)
    context.insert(Both.Note("one", "two"))
    try context.save()
    #expect(try count(context, #Predicate<Both.Note> { $0.matches("two one") && $0.text.matches("one") }) == 1)
    // Words are preferred to parts of words.
    #expect(try count(context, #Predicate<Both.Note> { $0.text.matches("on") }) == 0)
  }
}

private enum Plain {
  @Model final class Note {
    var text: String
    init(_ text: String) { self.text = text }
  }
}

private enum Words {
  @Model final class Note {
    @Attribute(.fullText) var text: String
    init(_ text: String) { self.text = text }
  }
}

private enum Stems {
  @Model final class Note {
    var text: String
    #FullText<Note>([\.text], tokenizer: .porter)
    init(_ text: String) { self.text = text }
  }
}

private enum Parts {
  @Model final class Note {
    @Attribute(.fullText(tokenizer: .trigram)) var text: String
    init(_ text: String) { self.text = text }
  }
}

private enum Both {
  @Model final class Note {
    @Attribute(.fullText(tokenizer: .trigram)) var text: String
    var title: String
    #FullText<Note>([\.text, \.title])
    init(_ text: String, _ title: String) { (self.text, self.title) = (text, title) }
  }
}

private enum Number {
  typealias Amount = Int
  @Model final class Note {
    @Attribute(.fullText) var count: Amount = 0
    init() {}
  }
}

private enum External {
  @Model final class Note {
    @Attribute(.fullText, .externalStorage) var text = ""
    init() {}
  }
}

private enum Ephemeral {
  @Model final class Note {
    @Attribute(.fullText, .ephemeral) var text = ""
    init() {}
  }
}

private enum Codes {
  @Model final class Note {
    @Attribute(.fullText, .codable) var text = ""
    init() {}
  }
}

private enum Related {
  @Model final class Note {
    var next: Note?
    #FullText<Note>([\.next])
    init() {}
  }
}

private enum Twice {
  @Model final class Note {
    @Attribute(.fullText) var text = ""
    var title = ""
    #FullText<Note>([\.title, \.text])
    init() {}
  }
}

private enum Rank {
  @Model final class Note {
    @Attribute(.fullText) var rank = ""
    init() {}
  }
}
