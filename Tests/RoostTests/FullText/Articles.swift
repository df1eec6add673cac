import Foundation
import Roost
import RoostCore
import RoostEngine
import RoostMigration
import RoostQuery
import RoostTesting
import Testing

@Model class Article {
  var title: String
  var body: String
  @Attribute(.fullText) var summary: String?
  var stars = 0
  var magazine: Magazine?
  #FullText<Article>([\.title, \.body], tokenizer: .porter)

  init(_ title: String, _ body: String = "", summary: String? = nil, stars: Int = 0) {
    (self.title, self.body, self.summary, self.stars) = (title, body, summary, stars)
  }
}

@Model final class Review: Article {
  @Attribute(.fullText(tokenizer: .trigram)) var verdict: String

  init(_ title: String, _ body: String = "", verdict: String) {
    self.verdict = verdict
    super.init(title, body)
  }
}

@Model final class Magazine {
  @Attribute(.unique, .fullText) var name: String
  var motto = ""
  @Relationship(deleteRule: .cascade, inverse: \Article.magazine) var articles: [Article] = []

  init(name: String) { self.name = name }
}

/// A store in memory, or a file, of articles.
struct Newsstand {
  static let types: [any PersistentModel.Type] = [Article.self, Review.self, Magazine.self]
  let context: ModelContext
  let recorder = StatementRecorder()

  init(_ url: URL? = nil) throws {
    let configuration = url.map { ModelConfiguration(url: $0) } ?? ModelConfiguration(isStoredInMemoryOnly: true)
    context = ModelContext(
      try ModelContainer(for: Schema(Self.types), configurations: [configuration.recording(to: recorder)]))
  }

  /// The titles of the articles that a predicate finds, by SQL and by evaluation, which must agree.
  func titles(_ predicate: Predicate<Article>, _ location: SourceLocation = #_sourceLocation) throws -> [String] {
    let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted()
    let evaluated = try context.fetch(FetchDescriptor<Article>()).filter { try predicate.evaluate($0) }
    #expect(found == evaluated.map(\.title).sorted(), sourceLocation: location)
    return found
  }

  /// Has SQLite compare each index with its table.
  func check(_ location: SourceLocation = #_sourceLocation) throws {
    try context.container.withDatabase { database in
      let names = try database.rows(
        sql: "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'", as: String.self)
      #expect(names.count == 4, sourceLocation: location)
      try database.execute(
        sql: "INSERT INTO Article_title_body_words (Article_title_body_words, rank) VALUES ('integrity-check', 1)")
      try database.execute(
        sql: "INSERT INTO Article_summary_words (Article_summary_words, rank) VALUES ('integrity-check', 1)")
      try database.execute(
        sql: "INSERT INTO Article_verdict_parts (Article_verdict_parts, rank) VALUES ('integrity-check', 1)")
      try database.execute(
        sql: "INSERT INTO Magazine_name_words (Magazine_name_words, rank) VALUES ('integrity-check', 1)")
    }
  }
}
